import { describe, expect, test } from 'vitest'
import { isAlias, isMap } from 'yaml'
import { editYaml, setValue, tableIn } from './edit-yaml.ts'
import { joinConfig } from './source/machine-sections.ts'
import { pairNamed } from './text/yaml-text.ts'

const notEditable = expect.objectContaining({ code: 'conflict', reason: 'config-not-editable' }) as object

describe('[CONF-4] an edit changes no alias of what it changes', () => {
  const text = 'a: &x {key: 1}\nb: *x\nc: {key: 1}\n'
  const edited = (name: string, value: number, given = text) =>
    editYaml(given, ({ document, top }) => setValue(document, tableIn(document, top, name), 'key', value))

  test('it is refused if it would, unless it follows the aliases', () => {
    expect(() => edited('a', 2)).toThrow(notEditable)
    const followed = editYaml(text, ({ document, top, follow }) => {
      follow(top.items.map(({ value }) => value).filter((value) => isAlias(value)))
      setValue(document, tableIn(document, top, 'a'), 'key', 2)
    })
    expect(followed).toBe(text.replace('1', '2'))
  })

  test('it is refused only if the value is another one, not for a comment or another place', () => {
    expect(edited('a', 1)).toBe(text)
    expect(edited('c', 2)).toBe(text.replace('c: {key: 1}', 'c: {key: 2}'))
    const commented = editYaml(text, ({ top }) => {
      const table = pairNamed(top, 'a')?.value
      if (isMap(table)) table.comment = ' mine'
    })
    expect(commented).toContain('# mine')
  })

  test('it changes none that repeats it through another alias, or under an anchor that is there twice', () => {
    const through = 'a: &x {key: 1}\nb: &y {of: *x}\nc: *y\n'
    expect(() => edited('a', 2, through)).toThrow(notEditable)
    const twice = 'a: &x {key: 1}\nb: *x\nc: &x {key: 1}\nd: *x\n'
    expect(() => edited('a', 2, twice)).toThrow(notEditable)
    expect(() => edited('c', 2, twice)).toThrow(notEditable)
    expect(edited('a', 2, twice.replace('b: *x\n', ''))).toContain('a: &x {key: 2}')
  })

  test('aliases that multiply each other cost no more than their text', () => {
    const levels = Array.from({ length: 40 }, (_, level) => `  - &l${level + 1} [*l${level}, *l${level}]\n`).join('')
    const bomb = `a: {key: 1}\nbomb:\n  - &l0 [1]\n${levels}`
    expect(edited('a', 2, bomb)).toBe(bomb.replace('key: 1', 'key: 2'))
  })

  test('aliases that it adds are not compared', () => {
    expect(joinConfig('b: 1\n', 'tls: &x {enabled: false}\nnode: *x\n')).toContain('&x {enabled: false}\n\nnode: *x')
  })
})
