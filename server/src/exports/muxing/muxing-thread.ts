import { Worker } from 'node:worker_threads'
import type { MuxedFile, MuxingOptions, MuxingRequest, MuxingResponse } from './muxing-messages.ts'

/** Writes the file of one export, in its own thread with lower priority. */
export interface Muxer {
  /**
   * Resolves once the file is added. The memory of its data then belongs to the thread.
   *
   * @throws Fmp4Error if it can't be read, or a system error
   */
  add(file: MuxedFile): Promise<void>
  /** Completes the file. @returns how long it plays, seconds. @throws as {@link add} */
  finish(): Promise<number>
  /** Ends the thread; what is unanswered fails. Resolves when it has ended. */
  stop(): Promise<void>
}

/** @param onAlive called whenever something was written */
export type StartMuxer = (options: MuxingOptions, onAlive: () => void) => Muxer

export const startMuxingThread: StartMuxer = (options, onAlive) => {
  // Without the service's environment, which contains secrets.
  const worker = new Worker(new URL('muxing-start.mjs', import.meta.url), {
    workerData: options,
    env: {},
    execArgv: [],
  })
  let failure: Error | undefined
  let waiting: PromiseWithResolvers<number> | undefined

  const fail = (error: Error): void => {
    failure ??= error
    waiting?.reject(failure)
  }
  worker.on('message', (response: MuxingResponse) => {
    onAlive()
    if (response === 'alive') return
    if (response === 'added') waiting?.resolve(0)
    else if ('seconds' in response) waiting?.resolve(response.seconds)
    else fail(Object.assign(response.failed, response.code !== undefined && { code: response.code }))
  })
  worker.on('error', fail)
  worker.once('exit', () => fail(new Error('the muxing thread ended')))

  const request = (message: MuxingRequest, moved: ArrayBuffer[]): Promise<number> => {
    if (failure) return Promise.reject(failure)
    waiting = Promise.withResolvers<number>()
    worker.postMessage(message, moved)
    return waiting.promise
  }
  return {
    async add(file) {
      const { buffer, byteLength } = file.data
      // What shares its memory with something else is copied.
      const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
      await request({ file }, isOwn ? [buffer] : [])
    },
    finish: () => request('finish', []),
    stop: async () => void (await worker.terminate()),
  }
}
