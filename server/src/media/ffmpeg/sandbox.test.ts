import { expect, test } from 'vitest'
import { detectSandbox } from './sandbox.ts'

test('every limit that the machine has is used', () => {
  const { command, missing } = detectSandbox(() => true)
  expect(missing).toEqual([])
  expect(command).toEqual(expect.arrayContaining(['setpriv', '--no-new-privs', 'prlimit', '--core=0', '--fsize=0']))
})

test('a limit that the machine lacks or forbids is left out, and listed', () => {
  const lacks = ['--pdeathsig=KILL', '--nofile=256']
  const { command, missing } = detectSandbox((tried) => !tried.some((argument) => lacks.includes(argument)), '')
  expect(missing).toEqual(lacks)
  expect(command).toContain('--no-new-privs')
  expect(command).toContain('--core=0')
  for (const option of lacks) expect(command).not.toContain(option)
})

test('a program that the machine lacks is not used', () => {
  const withPrlimit = detectSandbox(([program]) => program === 'prlimit')
  expect(withPrlimit.command[0]).toBe('prlimit')
  expect(withPrlimit.missing).toContain('--no-new-privs')
  expect(detectSandbox(() => false)).toMatchObject({ command: [] })
})

test.each([
  ['root', 'CapEff:\t000001ffffffffff\n', true],
  ['an ordinary user', 'Name:\tnode\nCapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\n', false],
  ['a user with CAP_NET_BIND_SERVICE', 'CapEff:\t0000000000000400\n', false],
  ['a user with CAP_SETPCAP', 'CapEff:\t0000000000000100\n', true],
  ['a system without /proc', '', false],
])('for %s, the bounding set is emptied only with the capability to do so', (_who, status, empties) => {
  const { command, missing } = detectSandbox(() => true, status)
  expect([command.includes('--bounding-set=-all'), missing]).toEqual([empties, []])
})
