import { AsyncLocalStorage } from 'node:async_hooks'
import { onTestFinished, type TestContext } from 'vitest'

const ofConcurrentTest = new AsyncLocalStorage<TestContext['onTestFinished']>()

/** For `aroundEach` of tests that run at the same time: what a test has started is stopped when that test ends. */
export const separateCleanups = (run: () => Promise<void>, context: TestContext): Promise<void> =>
  ofConcurrentTest.run(context.onTestFinished, run)

/** Runs after the test, also if others run at the same time. Throws in a hook (beforeAll). */
export const onThisTestFinished = (clean: () => unknown): void => {
  const register = ofConcurrentTest.getStore() ?? onTestFinished
  register(async () => void (await clean()))
}

/** Runs after the test, the latest first, or in `stopAll` if a hook calls this (beforeAll). */
export function onTestFinishedOrLater(clean: () => unknown): void {
  registerOr(leftovers, clean)
}

/** As {@link onTestFinishedOrLater}, but in `stopAll` once everything else has stopped. */
export function onAllStopped(clean: () => unknown): void {
  registerOr(lastLeftovers, clean)
}

type Cleanup = () => unknown

const leftovers: Cleanup[] = []
const lastLeftovers: Cleanup[] = []

function registerOr(later: Cleanup[], clean: Cleanup): void {
  try {
    onThisTestFinished(clean)
  } catch {
    later.push(clean)
  }
}

/** For afterAll: stops everything that beforeAll, or the file itself, started, and removes its folders. */
export async function stopAll(): Promise<void> {
  // Not a folder while something that uses it is still stopping.
  const failures = [...(await failuresOf(leftovers)), ...(await failuresOf(lastLeftovers))]
  if (failures.length > 0) throw failures.length > 1 ? new AggregateError(failures) : failures[0]
}

async function failuresOf(cleanups: Cleanup[]): Promise<unknown[]> {
  const results = await Promise.allSettled(cleanups.splice(0).map(async (clean) => clean()))
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
}
