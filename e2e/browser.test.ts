import { expect, test } from 'vitest'
import { commandLines, descendantsOf } from '../server/test/support/children.ts'
import { program } from '../server/test/support/programs.ts'
import { sharedBrowser } from './tabs.ts'

const option = '--enable-features='

test.skipIf(!program('chromium'))(
  'the features that tests enable contain the ones that Playwright enables',
  async () => {
    await sharedBrowser()
    const lines = commandLines()
    const browser = descendantsOf(process.pid)
      .map((pid) => lines.get(pid) ?? '')
      .find((line) => line.includes('--remote-debugging-pipe'))
    const lists = (browser ?? '')
      .split('\0')
      .filter((argument) => argument.startsWith(option))
      .map((argument) => argument.slice(option.length).split(','))
    // Playwright's own list comes first, and Chromium reads the last one.
    expect(lists).toHaveLength(2)
    expect(lists[1]).toEqual(expect.arrayContaining(lists[0] ?? []))
  },
)
