export default {
  serverExternalPackages: ['ai-sandbox-native'],
}
