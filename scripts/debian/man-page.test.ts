import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commands } from '../../server/src/cli/commands.ts'
import { program } from '../../server/test/support/programs.ts'
import { manPage } from './man-page.ts'

const page = manPage({ version: '1.2.3-rc.1', date: '2026-11-26' })

test('[CMD-1] the manual page has every command with its options', () => {
  expect(page).toMatch(/^\.TH GATEHOUSE 1 "2026-11-26" "gatehouse 1\.2\.3\\-rc\.1" /)
  for (const { name, options } of commands) {
    const [, section = ''] = page.split(`.SS "gatehouse ${name}"\n`)
    const [own = ''] = section.split(/^\.S[SH]/m)
    for (const option of options) expect(own, name).toContain(`\\-\\-${option.name.replaceAll('-', '\\-')}`)
  }
})

test('no line of text begins with a control character, and no hyphen is left to typography', () => {
  for (const line of page.split('\n')) {
    expect(line).not.toMatch(/^\.(?!(TH|SH|SS|TP|PP|B|BR|br)\b)|^'/)
    expect(line.replace(/^\.TH .*/, '')).not.toMatch(/(?<!\\)-/)
  }
})

const mandoc = program('mandoc')

test.skipIf(!mandoc)('mandoc accepts it', () => {
  const { stdout } = spawnSync(mandoc!, ['-Tlint', '-Wwarning'], { input: page, encoding: 'utf8' })
  expect(stdout).toBe('')
})
