import { expect, test } from 'vitest'
import { connectionLimit } from './connection-limit.ts'

const limits = (openFiles: string) =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             127                  127                  processes
Max open files            ${openFiles.padEnd(20)} 1048576              files
`

test.each([
  ['1024', 341],
  ['4096', 1365],
  ['1048576', 8192],
  ['unlimited', 8192],
])('a process that can open %s files accepts %i connections on one port', (openFiles, connections) => {
  expect(connectionLimit(limits(openFiles))).toBe(connections)
})

test('without that information, there is a limit as well', () => {
  expect(connectionLimit('')).toBe(8192)
  expect(connectionLimit()).toBeGreaterThan(100)
})
