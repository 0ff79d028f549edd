import { expect, test } from 'vitest'
import { exportsSearch } from './search.ts'

test.each([
  [
    { camera: 'yard', play: 'a1' },
    { camera: 'yard', play: 'a1' },
  ],
  [{ camera: 12 }, { camera: '12' }],
  [{ camera: 'a camera', play: '../users', other: 'x' }, {}],
  [{ camera: ['yard'], play: { id: 1 } }, {}],
  [{ camera: '', play: 'x'.repeat(65) }, {}],
])('the query %o is parsed as %o', (values, meant) => {
  expect(exportsSearch(values)).toEqual(meant)
})
