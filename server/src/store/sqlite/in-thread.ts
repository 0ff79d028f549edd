import { Worker } from 'node:worker_threads'

/** Blocking work on a database file, in a thread that ends with it. */
export type FileWork = (path: string, signal: AbortSignal) => Promise<void>

/**
 * @param module a worker that does its work on the file whose path is its `workerData`
 * @returns rejects with what the worker throws; ends early when the signal is aborted
 */
export const inThread =
  (module: URL): FileWork =>
  async (path, signal) => {
    const worker = new Worker(module, {
      workerData: path,
      // Without the service's environment, which contains secrets.
      env: {},
      execArgv: [],
    })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    worker.once('error', reject)
    worker.once('exit', () => resolve())
    const end = () => void worker.terminate()
    signal.addEventListener('abort', end)
    await promise.finally(() => signal.removeEventListener('abort', end))
  }
