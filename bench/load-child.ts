import { connect, type Socket } from 'node:net'

/** What to send. Each connection waits for a response before its next request. */
export interface Load {
  readonly port: number
  /** Complete requests; each connection sends them in turn. */
  readonly requests: readonly string[]
  readonly connections: number
  /** Milliseconds; undefined: until each request was sent once. */
  readonly duration: number | undefined
  /** Requests per second; undefined: as fast as responses arrive. */
  readonly rate?: number
  /** The status that every response must have; undefined: any. */
  readonly status: number | undefined
}

export interface Responses {
  readonly count: number
  /** Number of responses with another status. */
  readonly wrong: number
  /** An example of such a response. */
  readonly sample: string
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Duration, milliseconds. */
  readonly took: number
  /** Latency percentiles, counted from when a request was due; milliseconds. */
  readonly p50: number
  readonly p99: number
}

process.on('message', (load: Load) => {
  void run(load).then((responses) => process.send?.(responses))
})
process.on('disconnect', () => process.exit())

/** How many requests were sent to a port: the next load goes on from there, so that each round is for other users. */
const positions = new Map<number, number>()

async function run(load: Load): Promise<Responses> {
  const requests = load.requests.map((text) => Buffer.from(text, 'utf8'))
  const expected = load.status === undefined ? 'HTTP/1.1 ' : `HTTP/1.1 ${load.status} `
  const statuses: Record<string, number> = {}
  const latencies: number[] = []
  let next = positions.get(load.port) ?? 0
  let wrong = 0
  let sample = ''
  const nextRequest = () => requests[next++ % requests.length] ?? nothing
  const lines = await Promise.all(Array.from({ length: load.connections }, () => open(load.port)))
  const started = performance.now()
  const until = load.duration === undefined ? Infinity : started + load.duration
  const end = load.duration === undefined ? next + requests.length : Infinity
  const isOver = () => performance.now() >= until || next >= end

  const ask = async (line: Line, due: number) => {
    const head = await line.ask(nextRequest())
    latencies.push(performance.now() - due)
    const status = head.slice(9, 12)
    statuses[status] = (statuses[status] ?? 0) + 1
    if (!head.startsWith(expected)) {
      wrong += 1
      sample = head
    }
  }
  if (load.rate === undefined) {
    await Promise.all(
      lines.map(async (line) => {
        while (!isOver()) await ask(line, performance.now())
      }),
    )
  } else await atRate(load.rate, started, until, lines, ask)

  const took = performance.now() - started
  positions.set(load.port, next)
  for (const { socket } of lines) socket.destroy()
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { count: sorted.length, wrong, sample, statuses, took, p50: at(0.5), p99: at(0.99) }
}

/** Requests are due by the clock, however slow the responses are, so that waiting counts as latency. */
async function atRate(
  rate: number,
  started: number,
  until: number,
  lines: readonly Line[],
  ask: (line: Line, due: number) => Promise<void>,
): Promise<void> {
  const free = [...lines]
  const underway = new Set<Promise<void>>()
  let sent = 0
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      const now = performance.now()
      if (now >= until) {
        clearInterval(timer)
        return done()
      }
      for (let due = started + (sent * 1000) / rate; due <= now; due = started + (sent * 1000) / rate) {
        // In turn, so that none is idle for so long that the service closes it.
        const line = free.shift()
        if (!line) return
        sent += 1
        const requested = ask(line, Math.max(due, now)).finally(() => {
          free.push(line)
          underway.delete(requested)
        })
        underway.add(requested)
      }
    }, 1)
  })
  await Promise.all(underway)
}

const nothing = Buffer.alloc(0)

interface Line {
  readonly socket: Socket
  /** @returns the response head. */
  ask(request: Buffer): Promise<string>
}

function open(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let waiting: { done: (head: string) => void; fail: (error: Error) => void } | undefined
    let got: Buffer | undefined
    socket.on('data', (chunk) => {
      got = got ? Buffer.concat([got, chunk]) : chunk
      const end = got.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = got.toString('latin1', 0, end)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (got.length < end + 4 + length) return
      got = undefined
      waiting?.done(head)
    })
    const broke = (error: Error) => {
      reject(error)
      waiting?.fail(error)
    }
    socket.once('error', broke)
    socket.once('close', () => broke(new Error('the connection was closed')))
    socket.once('connect', () =>
      resolve({
        socket,
        ask: (request) =>
          new Promise((done, fail) => {
            waiting = { done, fail }
            socket.write(request)
          }),
      }),
    )
  })
}
