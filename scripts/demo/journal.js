/**
 * The journal of a made-up run of a coding agent, the same one for the same seed.
 *
 * @module
 */

import * as phrases from './phrases.js'
import { Random } from './random.js'

const IMAGE_EVERY = 400
const START = Date.UTC(2025, 10, 3, 9, 0, 0)
/** Between the events, so that the times in it are plausible. */
const EVENT_GAP_MS = 900

/**
 * The events of a run, in order: prompts, thoughts, texts, tool calls with their results, images,
 * and the odd note of the harness.
 *
 * @param {number} count
 * @param {number} [seed]
 * @returns {Generator<object, void>}
 */
export function* agentEvents(count, seed = 1) {
  const run = new Run(seed)
  yield { type: 'summary', summary: 'Make the invoice export stream', leafUuid: run.uuid() }
  let made = 1
  for (; made + 2 <= count; made += 2) {
    const turn = Math.floor(made / 2)
    if (turn % (IMAGE_EVERY / 2) === 7) {
      yield run.user([run.image(), { type: 'text', text: run.random.pick(phrases.prompts) }])
      yield run.assistant([{ type: 'text', text: run.prose(2, 5) }])
    } else if (turn % 11 === 3) {
      yield run.user(run.random.pick(phrases.prompts))
      yield run.assistant([run.thinking()])
    } else if (turn % 6 === 2) {
      yield run.assistant([{ type: 'text', text: run.prose(1, 8) }])
      yield run.harnessNote()
    } else {
      const call = run.toolCall()
      yield run.assistant([call])
      yield run.user([run.toolResult(call)])
    }
  }
  for (; made < count; made += 1) yield run.harnessNote()
}

class Run {
  #parent = null
  #elapsedMs = 0

  constructor(seed) {
    this.random = new Random(seed)
    this.session = this.uuid()
  }

  user(content) {
    return this.#event('user', { message: { role: 'user', content } })
  }

  assistant(content) {
    const { random } = this
    const usage = {
      input_tokens: random.between(3, 40),
      cache_read_input_tokens: random.between(2_000, 90_000),
      output_tokens: random.between(5, 900),
      service_tier: 'standard',
    }
    const message = { id: `msg_${random.token(24)}`, type: 'message', role: 'assistant' }
    return this.#event('assistant', {
      message: { ...message, model: 'agent-1', content, stop_reason: null, usage },
      requestId: `req_${random.token(24)}`,
    })
  }

  harnessNote() {
    const content = `Running \u001b[1mPostToolUse:${this.random.pick(phrases.tools)}\u001b[22m...`
    return this.#event('system', { content, isMeta: false, level: 'info' })
  }

  thinking() {
    return {
      type: 'thinking',
      thinking: this.prose(4, 14),
      signature: this.random.bytes(330).toString('base64'),
    }
  }

  toolCall() {
    const name = this.random.pick(phrases.tools)
    const input = toolInputs[name](this)
    return { type: 'tool_use', id: `toolu_${this.random.token(24)}`, name, input }
  }

  toolResult(call) {
    const content = call.name === 'Bash' ? this.terminal() : this.numberedLines()
    return { tool_use_id: call.id, type: 'tool_result', content, is_error: false }
  }

  image() {
    const data = this.random.bytes(this.random.between(40_000, 150_000)).toString('base64')
    return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
  }

  prose(least, most) {
    const { random } = this
    const count = random.between(least, most)
    // Each fourth paragraph in another script, as in teams everywhere.
    const pool = random.between(1, 4) === 1 ? phrases.worldwide : phrases.sentences
    return Array.from({ length: count }, () => random.pick(pool)).join(' ')
  }

  numberedLines() {
    const { random } = this
    const first = random.between(1, 400)
    const lines = Array.from({ length: random.between(4, 45) }, (_, index) => {
      return `${String(first + index).padStart(6)}\t${random.pick(phrases.code)}`
    })
    return lines.join('\n')
  }

  terminal() {
    const count = this.random.between(2, 25)
    return Array.from({ length: count }, () => this.random.pick(phrases.terminal)).join('\n')
  }

  path() {
    const { random } = this
    return `/workspace/${random.pick(phrases.folders)}/${random.pick(phrases.files)}`
  }

  uuid() {
    const hex = this.random.bytes(16).toString('hex')
    return hex.replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12})/, '$1-$2-4$3-a$4-$5')
  }

  #event(type, fields) {
    this.#elapsedMs += this.random.between(1, EVENT_GAP_MS)
    const uuid = this.uuid()
    const event = {
      parentUuid: this.#parent,
      isSidechain: this.random.between(1, 9) === 1,
      userType: 'external',
      cwd: '/workspace',
      sessionId: this.session,
      version: '1.0.0',
      gitBranch: 'main',
      type,
      ...fields,
      uuid,
      timestamp: new Date(START + this.#elapsedMs).toISOString(),
    }
    this.#parent = uuid
    return event
  }
}

const toolInputs = {
  Read: (run) => ({ file_path: run.path(), offset: run.random.between(1, 400), limit: 60 }),
  Edit: (run) => ({
    file_path: run.path(),
    old_string: run.random.pick(phrases.code),
    new_string: `${run.random.pick(phrases.code)}\n${run.random.pick(phrases.code)}`,
  }),
  Grep: (run) => ({ pattern: run.random.pick(phrases.patterns), path: '/workspace/src' }),
  Bash: (run) => ({ command: run.random.pick(phrases.commands), description: run.prose(1, 1) }),
}
