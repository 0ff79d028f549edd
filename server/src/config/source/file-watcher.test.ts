import { readFile } from 'node:fs/promises'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { watchConfigFile } from './file-watcher.ts'

vi.mock('node:fs/promises', async (original) => {
  const real = await original<{ readFile: typeof readFile }>()
  return { ...real, readFile: vi.fn(real.readFile) }
})

let dir: string
let file: string

beforeEach(() => {
  dir = temporaryFolder()
  file = join(dir, 'config.yml')
  writeFileSync(file, 'auth:\n  roles: { guard: [yard] }\n')
})

const half = 'auth:\n  ro'
const whole = 'auth:\n  roles: { guard: [door] }\n# more\n'

/** Changes the file while it is being read for the next time: the read gets half of the new text. */
function changeDuringRead(change: () => void): void {
  vi.mocked(readFile).mockImplementationOnce(() => {
    change()
    return Promise.resolve(Buffer.from(half))
  })
}

const changes: [what: string, change: () => void][] = [
  ['written', () => writeFileSync(file, whole)],
  [
    'replaced',
    () => {
      writeFileSync(`${file}.new`, whole)
      renameSync(`${file}.new`, file)
    },
  ],
]

test.each(changes)('[ROLE-7] [CONF-5] a file that is %s while it is read is read again', async (_what, change) => {
  // Later than the times that the disk writes, so that the file counts as unchanged for long enough.
  const clock = createTestClock({ now: Date.now() + 3_600_000 })
  const watcher = watchConfigFile({ file, clock, settle: 1000 })
  changeDuringRead(change)
  const { bytes } = await watcher.settled()
  expect(bytes?.toString()).toBe(whole)

  const found: (string | undefined)[] = []
  const stop = watcher.watch({
    poll: 250,
    async found(read) {
      found.push((await read())?.bytes?.toString())
      return true
    },
    failed: (error) => {
      throw error
    },
  })
  const pass = async () => {
    for (let i = 0; i < 12; i++) {
      await clock.advance(250)
      await vi.waitFor(() => expect(clock.pending()).toBe(1), 20_000)
    }
  }
  await pass()
  expect(found).toEqual([whole])
  writeFileSync(file, `${whole}# again\n`)
  changeDuringRead(change)
  await pass()
  expect(found).toEqual([whole, undefined, readFileSync(file, 'utf8')])
  await stop()
})

test('[CONF-5] a file that could not be applied is found again, until it could', async () => {
  const clock = createTestClock({ now: Date.now() + 3_600_000 })
  const answers = [() => false, () => Promise.reject(new Error('away')), () => true]
  const failed: unknown[] = []
  let found = 0
  const stop = watchConfigFile({ file, clock, settle: 1000 }).watch({
    poll: 250,
    async found(read) {
      await read()
      found += 1
      return answers.shift()!()
    },
    failed: (error) => void failed.push(error),
  })
  for (let nth = 0; nth < 40; nth += 1) {
    await clock.advance(250)
    await vi.waitFor(() => expect(clock.pending()).toBe(1), 20_000)
  }
  expect([found, failed]).toEqual([3, [new Error('away')]])
  await stop()
})
