/** Test doubles for the browser APIs that the players use for live video. */

/** Counts its listeners, so that a test notices those that are never removed. */
export class FakeVideo extends EventTarget {
  src = ''
  currentTime = 0
  playbackRate = 1
  paused = true
  muted = true
  disableRemotePlayback = false
  readonly error = null
  /** How many times `play` was called. */
  played = 0
  readonly #listeners = new Map<string, Set<unknown>>()

  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions,
  ): void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners.add(listener))
    options?.signal?.addEventListener('abort', () => listeners.delete(listener))
    super.addEventListener(type, listener, options)
  }
  override removeEventListener(type: string, listener: EventListenerOrEventListenerObject | null): void {
    this.#listeners.get(type)?.delete(listener)
    super.removeEventListener(type, listener)
  }
  listeners = (type: string): number => this.#listeners.get(type)?.size ?? 0
  play(): Promise<void> {
    this.paused = false
    this.played += 1
    return Promise.resolve()
  }
  pause(): void {
    this.paused = true
    this.dispatchEvent(new Event('pause'))
  }
  load(): void {
    this.paused = true
  }
  removeAttribute(name: string): void {
    if (name === 'src') this.src = ''
  }
  readonly element = this as unknown as HTMLVideoElement
}

/** Accepts fragments of one second each. */
export class FakeSourceBuffer extends EventTarget {
  updating = false
  appends = 0
  removals = 0
  ranges: [start: number, end: number][] = []
  /** Seconds that fit in the buffer. */
  room = Number.POSITIVE_INFINITY
  /** Whether a removal frees nothing. */
  stuck = false

  get buffered() {
    return {
      length: this.ranges.length,
      start: (at: number) => this.ranges[at]?.[0] ?? 0,
      end: (at: number) => this.ranges[at]?.[1] ?? 0,
    }
  }
  appendBuffer(): void {
    this.appends += 1
    const [start, end] = this.ranges[0] ?? [0, 0]
    if (end - start >= this.room) throw new DOMException('full', 'QuotaExceededError')
    this.ranges = [[start, end + 1]]
    this.#update()
  }
  remove(_from: number, to: number): void {
    this.removals += 1
    if (!this.stuck) this.ranges = this.ranges.map(([start, end]) => [Math.max(start, to), end])
    this.#update()
  }
  #update() {
    this.updating = true
    queueMicrotask(() => {
      this.updating = false
      this.dispatchEvent(new Event('updateend'))
    })
  }
}

/** Opens as soon as it is created; `last` is the newest buffer of any source. */
export class FakeMediaSource extends EventTarget {
  static last: FakeSourceBuffer | undefined
  /** Seconds that fit in each new buffer. */
  static room = Number.POSITIVE_INFINITY
  static readonly isTypeSupported = () => true
  readyState = 'closed'

  constructor() {
    super()
    queueMicrotask(() => {
      this.readyState = 'open'
      this.dispatchEvent(new Event('sourceopen'))
    })
  }
  addSourceBuffer(): FakeSourceBuffer {
    const buffer = new FakeSourceBuffer()
    buffer.room = FakeMediaSource.room
    FakeMediaSource.last = buffer
    return buffer
  }
}
