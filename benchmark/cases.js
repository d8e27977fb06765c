/**
 * What is measured: the cases of the table, and the single measurements beside it.
 */

const KIB = 1024
const MB = 1e6
const REFERENCE_MAX_BASE64_BYTES = 1 * MB
const SMOKE_BYTES = 100_000

/** Contents whose lines have about 270 bytes, which is what the verdicts are about. */
export const USUAL_CONTENTS = ['ascii', 'mixed', 'emoji']

const CHUNK_NAMES = { whole: 'one string', line: 'one line', 20: '20 B' }

/**
 * @typedef {{ id: string, source: 'base64' | 'bytes' | 'text', chunk: number | 'whole' | 'line',
 *   content: string, size: number, contenders: string[], plan?: object }} Case
 */

/**
 * The rows of the table.
 *
 * @param {{ smoke: boolean, contenders: string[] }} options
 * @returns {Case[]}
 */
export function listCases({ smoke, contenders }) {
  const shapes = [...base64Shapes(), ...chunkShapes('bytes'), ...chunkShapes('text')]
  if (smoke) return smokeCases(shapes, contenders)
  return shapes.map((shape) => ({
    ...shape,
    id: caseId(shape),
    contenders: contenders.filter((name) => takesPart(name, shape)),
    plan: { rounds: 11, sampleMs: 25, budgetMs: 2500 },
  }))
}

/** The shapes whose time must grow with their size: eight times the bytes, eight times the time. */
export function listGrowthCases({ smoke }) {
  const shapes = [
    ...USUAL_CONTENTS.map((content) => ({ source: 'base64', chunk: 'whole', content })),
    { source: 'base64', chunk: 'whole', content: 'ascii', size: 50 * MB },
    { source: 'base64', chunk: 'whole', content: 'image' },
    ...['bytes', 'text'].flatMap((source) => [
      ...USUAL_CONTENTS.map((content) => ({ source, chunk: 64 * KIB, content })),
      { source, chunk: 64 * KIB, content: 'image' },
      { source, chunk: 4 * KIB, content: 'mixed' },
      { source, chunk: 'line', content: 'mixed' },
      { source, chunk: 20, content: 'mixed', size: 2 * MB },
    ]),
  ]
  return shapes.map((shape) => {
    const size = smoke ? 2 * SMOKE_BYTES : (shape.size ?? 10 * MB)
    return {
      ...shape,
      size,
      id: `growth/${caseId({ ...shape, size })}`,
      plan: { rounds: smoke ? 1 : 9, sampleMs: smoke ? 1 : 60, budgetMs: 1500 },
    }
  })
}

/** Where a few lines are kept, and the rest of the journal is not. */
export function listKeptLineCases({ smoke }) {
  const size = smoke ? MB : 8 * MB
  return [
    { source: 'base64', chunk: 'whole' },
    { source: 'bytes', chunk: 64 * KIB },
    { source: 'text', chunk: 64 * KIB },
  ].flatMap((shape) =>
    ['ascii', 'mixed'].map((content) => ({
      ...shape,
      content,
      size,
      rounds: smoke ? 1 : 24,
      id: `kept/${caseId({ ...shape, content, size })}`,
    })),
  )
}

/** `base64/one string/ascii/10 MB` */
export function caseId({ source, chunk, content, size }) {
  return [source, chunkName(chunk), content, `${size / MB} MB`].join('/')
}

function chunkName(chunk) {
  return CHUNK_NAMES[chunk] ?? `${chunk / KIB} KiB`
}

function base64Shapes() {
  const sizes = { ascii: [0.4, 1, 10, 50], mixed: [0.4, 1, 10, 50], emoji: [1, 10, 50] }
  return Object.entries({ ...sizes, image: [10, 50] }).flatMap(([content, megabytes]) =>
    megabytes.map((size) => ({ source: 'base64', chunk: 'whole', content, size: size * MB })),
  )
}

function chunkShapes(source) {
  const wide = [...USUAL_CONTENTS, 'image']
  return [
    ...wide.map((content) => ({ source, chunk: 64 * KIB, content, size: 10 * MB })),
    ...['ascii', 'mixed'].flatMap((content) => [
      { source, chunk: 4 * KIB, content, size: 10 * MB },
      { source, chunk: 'line', content, size: 10 * MB },
      { source, chunk: 20, content, size: 2 * MB },
    ]),
  ]
}

/** Small, without times, and with content that is made to break a framer. */
function smokeCases(shapes, contenders) {
  const small = shapes.map((shape) => ({ ...shape, size: SMOKE_BYTES }))
  const nasty = small
    .filter(({ content }) => content === 'ascii')
    .map((shape) => ({ ...shape, content: 'nasty' }))
  const byId = new Map([...small, ...nasty].map((shape) => [caseId(shape), shape]))
  return [...byId].map(([id, shape]) => ({ ...shape, id, contenders }))
}

function takesPart(name, { source, content, size }) {
  if (name === 'reference') return source !== 'base64' || size <= REFERENCE_MAX_BASE64_BYTES
  // The two differ in how they decode what isn't ASCII, which text chunks don't need.
  if (name === 'best-utf8') return source !== 'text' && USUAL_CONTENTS.slice(1).includes(content)
  return true
}
