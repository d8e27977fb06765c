export default {
  mode: 'production',
  target: 'node',
  entry: './src/main.js',
  output: { filename: 'main.cjs' },
  // webpack asks for each import path and for its kind.
  externals: {
    'ai-sandbox-native': 'commonjs ai-sandbox-native',
    'ai-sandbox-native/journal-file': 'commonjs ai-sandbox-native/journal-file',
  },
}
