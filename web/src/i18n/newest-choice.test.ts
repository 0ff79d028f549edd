import { expect, test } from 'vitest'
import { newestChoice } from './newest-choice.ts'

/** Chooses languages whose texts arrive when the test says so. */
function choices() {
  const texts = new Map<string, PromiseWithResolvers<string>>()
  const applied: string[] = []
  const choose = newestChoice(
    (tag: string) => {
      const deferred = Promise.withResolvers<string>()
      texts.set(tag, deferred)
      return deferred.promise
    },
    (loaded, tag) => applied.push(`${tag}: ${loaded}`),
  )
  return { choose, applied, arrive: (tag: string) => texts.get(tag)?.resolve('texts'), texts }
}

test('a language whose texts arrive after a later choice is not applied', async () => {
  const { choose, applied, arrive } = choices()
  const german = choose('de')
  const english = choose('en')
  arrive('en')
  await english
  arrive('de')
  await german
  expect(applied).toEqual(['en: texts'])
})

test('a language whose texts arrive before those of a later choice is not applied either', async () => {
  const { choose, applied, arrive } = choices()
  const german = choose('de')
  const french = choose('fr')
  arrive('de')
  await german
  expect(applied).toEqual([])
  arrive('fr')
  await french
  expect(applied).toEqual(['fr: texts'])
})

test('only the newest choice reports that its texts could not be fetched', async () => {
  const { choose, applied, arrive, texts } = choices()
  const german = choose('de')
  const english = choose('en')
  texts.get('de')?.reject(new Error('offline'))
  await german
  arrive('en')
  await english
  expect(applied).toEqual(['en: texts'])
  const french = choose('fr')
  texts.get('fr')?.reject(new Error('offline'))
  await expect(french).rejects.toThrow('offline')
})
