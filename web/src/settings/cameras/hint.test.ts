import { expect, test } from 'vitest'
import { loadTexts } from '../../i18n/catalogs.ts'
import { hintFor } from './hint.ts'

const { cameras } = await loadTexts('en', ['cameras'])

const { hints } = cameras.test

test.each([
  ['wrong-credentials', hints.credentials],
  ['request-refused', hints.path],
  ['connection-refused', hints.port],
  ['no-data', hints.silent],
  ['no-frame', undefined],
  ['unreadable-video', hints.video],
  ['no-such-file', hints.file],
  ['ffmpeg-missing', hints.ffmpeg],
  ['disk-full', undefined],
])('%s', (code, hint) => expect(hintFor(code, hints)).toBe(hint))
