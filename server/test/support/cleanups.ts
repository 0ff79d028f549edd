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
