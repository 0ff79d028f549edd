import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Responses, Load } from './load-child.ts'
import { end, startNode } from './process.ts'

/** Sends requests from a separate process, so that generating them does not count as cost of the measured one. */
export interface Loader {
  send(load: Load): Promise<Responses>
  stop(): Promise<void>
}

/** @param punctual for latencies at a given rate, not for maximum throughput. */
export function startLoader(punctual = false): Loader {
  const child: ChildProcess = startNode([join(import.meta.dirname, 'load-child.ts')], {
    core: punctual ? 'any' : 'measuring',
    punctual,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process that sends requests ended')))
  ended.catch(() => undefined)
  return {
    async send(load) {
      child.send(load)
      const [responses] = (await Promise.race([once(child, 'message'), ended])) as [Responses]
      if (responses.wrong > 0)
        throw new Error(`${responses.wrong} responses were not ${load.status ?? 'of HTTP/1.1'}: ${responses.sample}`)
      return responses
    },
    stop: () => end(child),
  }
}

/** A request as raw bytes. */
export function requestText(
  method: string,
  path: string,
  port: number,
  headers: Readonly<Record<string, string>>,
  body?: object,
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: `127.0.0.1:${port}`,
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}
