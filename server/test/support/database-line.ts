import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinishedOrLater } from './cleanups.ts'
import { wait } from './wait.ts'

/** A TCP relay to a PostgreSQL server, with the faults of a network. */
export interface DatabaseLine {
  /** The URL of the database over this line. */
  readonly url: string
  /** Drops all data of the connections that LISTEN, and closes nothing. */
  silenceListening(): void
  /** Drops the notifications of new connections, like a pooler that lends a connection only for a transaction. */
  dropNotifications(): void
  /** Drops all data of the connections that are open now, and closes nothing. */
  silenceOpen(): void
  /** Closes connections that LISTEN, and new ones as soon as they do. */
  refuseListening(refuse: boolean): void
  /** While true, connections exist and can be opened, but carry no data: a partition. Afterward they are closed. */
  partition(isPartitioned: boolean): void
  /** Leads new connections to another server. Those that are open stay. */
  leadTo(database: string): void
  /** Closes all connections. */
  cut(): void
  /** Delays what the server receives, milliseconds. */
  delay(milliseconds: number): void
  /** Calls back as soon as the server was sent this many messages more. */
  afterMessages(count: number, done: () => void): void
  /** Number of queries for users or sessions so far. */
  queries(): number
}

export async function lineTo(database: string): Promise<DatabaseLine> {
  const url = new URL(database)
  let { hostname, port } = url
  const pairs = new Set<{ readonly near: Socket; readonly far: Socket; listens: boolean; isSilent: boolean }>()
  let isListeningSilent = false
  let isDropping = false
  let isRefusing = false
  let isPartitioned = false
  let delay = 0
  let queries = 0
  let awaited: { left: number; readonly done: () => void } | undefined
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    const pair = { near, far, listens: false, isSilent: isPartitioned }
    pairs.add(pair)
    let sending = Promise.resolve()
    near.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      queries += text.match(/from "(?:user|session)" where/g)?.length ?? 0
      if (text.includes('listen gatehouse')) pair.listens = true
      if (isRefusing && pair.listens) {
        near.destroy()
        return
      }
      sending = sendAfter(sending, performance.now() + delay, () => {
        if (!pair.isSilent && !(isListeningSilent && pair.listens) && far.writable) far.write(chunk)
        if (awaited && --awaited.left === 0) awaited.done()
      })
    })
    const passedOn = isDropping ? withoutNotifications() : (chunk: Buffer) => chunk
    far.on('data', (chunk: Buffer) => {
      if (!pair.isSilent && !(isListeningSilent && pair.listens)) near.write(passedOn(chunk))
    })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined)
      from.once('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinishedOrLater(() => {
    server.close()
    for (const { near } of pairs) near.destroy()
    return Promise.resolve()
  })
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    silenceListening: () => void (isListeningSilent = true),
    dropNotifications: () => void (isDropping = true),
    silenceOpen() {
      for (const pair of pairs) pair.isSilent = true
    },
    partition(partitioned) {
      isPartitioned = partitioned
      for (const pair of pairs) {
        // What was lost in between is missing from the connection.
        if (!partitioned && pair.isSilent) pair.near.destroy()
        pair.isSilent = partitioned
      }
    },
    refuseListening(refuse) {
      isRefusing = refuse
      if (refuse) for (const { near, listens } of pairs) if (listens) near.destroy()
    },
    leadTo: (database) => void ({ hostname, port } = new URL(database)),
    cut() {
      for (const { near } of pairs) near.destroy()
    },
    delay: (milliseconds) => void (delay = milliseconds),
    afterMessages: (count, done) => void (awaited = { left: count, done }),
    queries: () => queries,
  }
}

/** The messages of a server, each a type, a length and its content, without notifications. */
function withoutNotifications(): (chunk: Buffer) => Buffer {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const kept: Buffer[] = []
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1)
      if (rest[0] !== 'A'.charCodeAt(0)) kept.push(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
    return Buffer.concat(kept)
  }
}

/** Sends after what was sent before, and not before a time. */
async function sendAfter(before: Promise<void>, time: number, send: () => void): Promise<void> {
  await before
  const rest = time - performance.now()
  if (rest > 0) await wait(rest, 'the delay of the network')
  send()
}
