import { lazy } from 'react'
import { loadTexts } from '../../i18n/catalogs.ts'

/** Each comes with its texts: a page that waits for them when it first renders would forget what was typed. */
const withTexts = async <Loaded>(loaded: Promise<Loaded>): Promise<Loaded> => {
  await loadTexts(document.documentElement.lang, ['second-factor'])
  return loaded
}

export const SecondStep = lazy(async () => ({ default: (await withTexts(import('./SecondStep.tsx'))).SecondStep }))
export const PasskeySignIn = lazy(async () => ({
  default: (await withTexts(import('./PasskeySignIn.tsx'))).PasskeySignIn,
}))
export const ConfirmIdentity = lazy(async () => ({
  default: (await withTexts(import('../factors/ConfirmIdentity.tsx'))).ConfirmIdentity,
}))
