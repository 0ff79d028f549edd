import { expect, test } from 'vitest'
import { offlinePage } from './offline-page.ts'

test('texts are escaped', () => {
  const texts = { title: 'A & <b>', body: '"quoted"', again: 'Again' }
  const page = offlinePage({ lang: 'en"><script>', dir: 'ltr', texts })
  expect(page).toContain('<h1>A &amp; &lt;b></h1>')
  expect(page).not.toMatch(/<script|<b>/)
})

test('the page contains no script', () => {
  const texts = { title: 't', body: 'b', again: 'a' }
  expect(offlinePage({ lang: 'en', dir: 'ltr', texts })).not.toMatch(/script|\son\w+=/)
})
