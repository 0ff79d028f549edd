import { expect, test } from 'vitest'
import { formatsIn } from '../src/i18n/formats.ts'
import { compileCatalog, parametersOf } from './compile.ts'

/** Compiles a message, then formats it. */
async function format(message: string, values?: Readonly<Record<string, unknown>>, tag = 'en'): Promise<unknown> {
  const [, , source = ''] = compileCatalog({ message }, { message }, tag, 'formats.ts').split('\n')
  const code = `${source.replace('export default', 'export default (number, plural, select, withoutFinalPeriod) => (')})`
  const made = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly default: (...formats: unknown[]) => { readonly message: unknown }
  }
  const { number, plural, select, withoutFinalPeriod } = formatsIn(tag)
  const compiled = made.default(number, plural, select, withoutFinalPeriod).message
  return typeof compiled === 'function' ? Reflect.apply(compiled, undefined, [values]) : compiled
}

test('a message without parameters is a string', async () => {
  expect(await format('Press \\ or ` or ${x}'.replace('{x}', "'{x}'"))).toBe('Press \\ or ` or ${x}')
  expect(await format("It''s '{name}', isn't it? <b>")).toBe("It's {name}, isn't it? <b>")
})

test('a parameter is shown as it is, and a number as the language writes it', async () => {
  expect(await format("{a} `$'{'{b}", { a: '<1>', b: '2' })).toBe('<1> `${2')
  expect(await format('{n, number} of {all, number, ::group-off}', { n: 1234.5, all: 8971 }, 'de')).toBe(
    '1.234,5 of 8971',
  )
})

test('a sentence that ends with a value has one period, also after `p.m.`', async () => {
  const message = 'Until {when}. From {when}: {other, select, true {{when}.} other {}} {when}.m'
  expect(await format(message, { when: '5 p.m.', other: true })).toBe('Until 5 p.m. From 5 p.m.: 5 p.m. 5 p.m..m')
  expect(await format('{name}.', { name: 'Yard' })).toBe('Yard.')
})

test.each([
  ['fr', 0, '0 camera'],
  ['fr', 1, '1 camera'],
  ['fr', 2, '2 cameras'],
  ['es', 0, '0 cameras'],
  ['es', 1_000_000, '1.000.000 of cameras'],
  ['zh-Hans', 1, '1 cameras'],
  ['pl', 3, '3 (few)'],
])('%s has its own plural form for %i', async (tag, count, text) => {
  const message = '{count, plural, one {# camera} few {# (few)} many {# of cameras} other {# cameras}}'
  expect(await format(message, { count }, tag)).toBe(text)
})

test('an exact number goes before the plural category', async () => {
  const message = '{count, plural, =0 {none} one {one} other {several, # in {place}}}'
  const texts = await Promise.all([0, 1, 2].map((count) => format(message, { count, place: 'the yard' })))
  expect(texts).toEqual(['none', 'one', 'several, 2 in the yard'])
})

test('a select between true and other takes a boolean', async () => {
  const message = '{known, select, true {Found {found}.} other {Nothing.}}'
  expect(await format(message, { known: true, found: '7' })).toBe('Found 7.')
  expect(await format(message, { known: false, found: '7' })).toBe('Nothing.')
  expect([...parametersOf(message)]).toEqual([
    ['known', 'boolean'],
    ['found', 'string'],
  ])
})

test.each([
  '{open',
  '{n, plural, one {1}}',
  '{when, date, short}',
  '{n, plural, offset:1 other {#}}',
  '{n, selectordinal, other {#th}}',
  '{constructor.name}',
  '{n, number} and {n, select, true {x} other {y}}',
])('%s does not compile, and the error names the message', (message) => {
  expect(() => compileCatalog({ group: { message } }, {}, 'en', 'formats.ts')).toThrow(/group\.message: /)
})
