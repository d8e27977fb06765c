/** The parts that messages of agents are made of: text, thoughts, calls of tools, their results. */

const BASE64_BYTES_PER_CHARACTER = 3 / 4

/** What a call of a tool is about, by the usual names of its arguments, the most telling first. */
const TELLING = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'description', 'prompt']
const TEXTS = ['text', 'delta', 'summary', 'content', 'result', 'message', 'error', 'name', 'title']

/** @typedef {{ text: string, tone?: import('./describe-event.js').Tone, isNamed?: boolean }} Part */

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The content of a message: a text, or parts.
 *
 * @param {unknown} content
 * @returns {Part} An empty text when it is neither.
 */
export function describeContent(content) {
  if (typeof content === 'string') return { text: content }
  if (!Array.isArray(content)) return { text: '' }
  const parts = content.map((part) =>
    isObject(part) ? (describePart(part) ?? { text: textOf(part.type) }) : describeContent(part),
  )
  return {
    text: parts.map(({ text }) => text).join(' · '),
    tone: parts.find(({ tone }) => tone !== undefined)?.tone,
  }
}

/**
 * One part, or an event that is like one. `isNamed`: the text says what kind of part it is.
 *
 * @param {Record<string, any>} part
 * @returns {Part | undefined} Undefined for a shape that isn't known.
 */
export function describePart(part) {
  // An object as type may have a `toString` that can't be called.
  const type = textOf(part.type)
  const describe = Object.hasOwn(PARTS, type) ? PARTS[type] : undefined
  if (describe !== undefined) return { ...describe(part), isNamed: true }
  if (isObject(part.delta)) return describePart(part.delta)
  if (isObject(part.content_block)) return describePart(part.content_block)
  const text = firstText(part, ['command', ...TEXTS])
  return text === undefined ? undefined : { text }
}

const PARTS = {
  text: ({ text }) => ({ text: textOf(text) }),
  text_delta: ({ text }) => ({ text: textOf(text) }),
  thinking: ({ thinking }) => ({ text: `thinking: ${textOf(thinking)}` }),
  thinking_delta: ({ thinking }) => ({ text: `thinking: ${textOf(thinking)}` }),
  reasoning: ({ text }) => ({ text: `thinking: ${textOf(text)}` }),
  tool_use: ({ name, input }) => ({ text: `${textOf(name)} ${aboutCall(input)}`, tone: 'tool' }),
  tool_result: describeToolResult,
  image: ({ source }) => ({ text: describeImage(source) }),
}

function describeToolResult({ content, is_error: isError }) {
  const { text } = describeContent(content)
  return { text: `${isError ? 'failed' : 'result'}: ${text}`, tone: isError ? 'error' : 'tool' }
}

function describeImage(source) {
  const kind = textOf(source?.media_type) || 'image'
  const data = textOf(source?.data)
  if (data === '') return kind
  return `${kind} of ${Math.round((data.length * BASE64_BYTES_PER_CHARACTER) / 1000)} kB`
}

function aboutCall(input) {
  if (!isObject(input)) return ''
  return firstText(input, TELLING) ?? (Object.keys(input).length > 0 ? JSON.stringify(input) : '')
}

function firstText(object, names) {
  for (const name of names) {
    if (typeof object[name] === 'string' && object[name] !== '') return object[name]
  }
  return undefined
}

function textOf(value) {
  return typeof value === 'string' ? value : ''
}
