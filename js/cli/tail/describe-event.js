/**
 * What a line of a journal says, in a few words.
 *
 * Agents have their own kinds of events, and new ones come. Those of Claude Code are known best;
 * for others the usual names of fields (`item`, `event`, `delta`, `text`) lead to what matters, and
 * an unknown shape is shown as compact JSON.
 */

import { describeContent, describePart, isObject } from './describe-content.js'

/** @typedef {'agent' | 'tool' | 'user' | 'end' | 'error' | 'other'} Tone */

/** More than any line shows; a text of 100 MB isn't copied for it. */
const MAX_TEXT = 4096
const TONES = new Map([
  ['assistant', 'agent'],
  ['user', 'user'],
])
/** What only programs read. */
const PLUMBING = /^(type|subtype|uuid|.*_?id|parentUuid|sessionId|requestId|timestamp|version)$/i

/**
 * @param {string} line
 * @returns {{ label: string, text: string, tone: Tone }} As in the journal: nothing is escaped.
 */
export function describeEvent(line) {
  if (line.trim() === '') return { label: 'blank', text: '', tone: 'other' }
  const event = parse(line)
  if (event === undefined) return { label: 'not JSON', text: head(line), tone: 'error' }
  if (!isObject(event)) return { label: 'JSON', text: head(line), tone: 'other' }
  if (Number.isInteger(event.__exit) && typeof event.__nonce === 'string')
    return describeExit(event)
  const label = typeof event.type === 'string' ? event.type : 'event'
  const { text, tone } = describeBodyOf(event, line)
  return { label, text: withSubtype(event, head(text)), tone: toneOf(event, tone) }
}

function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Parts within parts, many thousand deep, are too much for the stack. */
function describeBodyOf(event, line) {
  try {
    return describeBody(event)
  } catch (error) {
    if (error instanceof RangeError) return { text: line }
    throw error
  }
}

function describeExit({ __exit: code }) {
  return { label: 'exit', text: `code ${code}`, tone: code === 0 ? 'end' : 'error' }
}

function describeBody(event) {
  if (event.type === 'result') return describeResult(event)
  if (event.type === 'system' && event.subtype === 'init') return { text: describeInit(event) }
  // A message of the Messages API, or the part, item or event that is wrapped in this one.
  if (isObject(event.message)) return describeContent(event.message.content)
  for (const name of ['item', 'part', 'event', 'payload', 'data']) {
    if (isObject(event[name])) return describeWrapped(event[name])
  }
  const described = describeContent(event.content ?? event.message)
  if (described.text !== '') return described
  return describePart(event) ?? { text: compact(event) }
}

function describeWrapped(inner) {
  const known = describePart(inner)
  const text = known?.text ?? compact(inner)
  const kind = typeof inner.type === 'string' && !known?.isNamed ? `${inner.type}: ` : ''
  return { text: `${kind}${text}`, tone: known?.tone }
}

function describeResult(event) {
  const { num_turns: turns, duration_ms: ms, total_cost_usd: cost, result, error } = event
  const facts = []
  if (Number.isFinite(turns)) facts.push(`${turns} ${turns === 1 ? 'turn' : 'turns'}`)
  if (Number.isFinite(ms)) facts.push(`${(ms / 1000).toFixed(1)} s`)
  if (Number.isFinite(cost)) facts.push(`$${cost.toFixed(4)}`)
  const said = [result, error].find((value) => typeof value === 'string') ?? ''
  const text = [facts.join(', '), head(said)].filter((part) => part !== '').join(': ')
  return { text: text || compact(event), tone: event.is_error ? 'error' : 'end' }
}

function describeInit({ model, cwd, tools }) {
  const facts = [model, cwd].filter((fact) => typeof fact === 'string')
  if (Array.isArray(tools)) facts.push(`${tools.length} tools`)
  return facts.join(', ')
}

function withSubtype({ subtype }, text) {
  if (typeof subtype !== 'string') return text
  return text === '' ? subtype : `${subtype}: ${text}`
}

function toneOf({ type, error, is_error: isError }, tone) {
  if (isError === true || type === 'error' || isObject(error)) return 'error'
  return tone ?? TONES.get(type) ?? 'other'
}

/** An unknown shape: its values without what only programs read, cut to what can be shown. */
function compact(event) {
  const rest = Object.entries(event).filter(([name]) => !PLUMBING.test(name))
  if (rest.length === 0) return ''
  return JSON.stringify(Object.fromEntries(rest), shorten)
}

function shorten(_name, value) {
  return typeof value === 'string' ? head(value) : value
}

function head(text) {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
}
