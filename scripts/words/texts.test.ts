import { expect, test } from 'vitest'
import { banned } from './banned.ts'
import { commentsInCss, wordsIn } from './texts.ts'

const texts = (pieces: readonly { readonly text: string }[]) => pieces.map(({ text }) => text)

test('the names that a file declares', () => {
  const source = `
    import { notOurs } from 'elsewhere'
    export const one = (two: string, { three, four: five = 1, ...six }: T) => seven(two)
    interface Eight { readonly nine: number; ten(): void }
    class Eleven { twelve() {} }
    function thirteen([fourteen]: string[]) {}`
  expect(texts(wordsIn('a.ts', source).names).toSorted()).toEqual(
    [
      'one',
      'two',
      'three',
      'five',
      'six',
      'Eight',
      'nine',
      'ten',
      'Eleven',
      'twelve',
      'thirteen',
      'fourteen',
    ].toSorted(),
  )
})

test('its prose: comments, strings, templates and text between tags', () => {
  const source = `// one
    const a = 'two' + \`three \${four} five\`
    const b = <p title="six">seven</p> /* eight */`
  expect(
    texts(wordsIn('a.tsx', source).prose)
      .map((text) => text.trim())
      .toSorted(),
  ).toEqual(['one', 'two', 'three', 'five', 'six', 'seven', 'eight'].toSorted())
})

test('the comments of a style sheet, with their positions', () => {
  const source = '/* one */\n.two { color: gray; /* three\n four */ }'
  const comments = commentsInCss(source)
  expect(texts(comments)).toEqual(['/* one */', '/* three\n four */'])
  expect(comments.map(({ start, text }) => source.slice(start, start + text.length))).toEqual(texts(comments))
})

test.each([
  ['name', 'StreamParts'],
  ['name', 'inForce'],
  ['name', 'byNobody'],
  ['name', 'lastPicture'],
  ['name', 'withSound'],
  ['prose', 'nobody is asked'],
  ['prose', 'the inside port'],
  ['prose', '25 frames a second'],
  ['copy', 'It cannot be saved'],
])('%s: %s is banned', (where, text) => {
  expect(banned.some((row) => row.where === where && row.pattern.test(text))).toBe(true)
})

test.each([
  ['name', 'StreamDeps'],
  ['name', 'pictureInPicture'],
  ['prose', 'the inside of the camera'],
  ['prose', 'a leaf certificate'],
  ['copy', 'It can’t be saved'],
])('%s: %s is not', (where, text) => {
  expect(banned.some((row) => row.where === where && !row.loose && row.pattern.test(text))).toBe(false)
})
