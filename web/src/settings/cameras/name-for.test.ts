import { expect, test } from 'vitest'
import { nameFor } from './name-for.ts'

test.each([
  ['', ''],
  ['Back office', 'back_office'],
  ['  Yard (north) ', 'yard_north'],
  ['Überm Eingang, Café 2', 'uberm_eingang_cafe_2'],
  ['Großer Hof, Łódź, Bjørn', 'grosser_hof_lodz_bjorn'],
  ['后院', ''],
  ['x'.repeat(70), 'x'.repeat(64)],
  [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
])('the name of a camera titled %j is %j', (title, name) => {
  expect(nameFor(title)).toBe(name)
})
