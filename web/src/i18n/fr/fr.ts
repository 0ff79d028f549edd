import { account, password, sessions } from './account.ts'
import { common } from './common.ts'
import { denied, failure, language, notFound, offline } from './frame.ts'
import { history } from './history.ts'
import { live } from './live.ts'
import { exports } from './exports.ts'
import { login, newPassword } from './session.ts'
import { playback } from './playback.ts'
import { review } from './review.ts'
import { service } from './service.ts'
import { settings } from './settings.ts'
import { shortcuts } from './shortcuts.ts'
import { storage } from './storage.ts'
import { system } from './system.ts'
import type { Texts } from '../texts.ts'

/** Every text of the UI, in French. */
export const fr: Texts = {
  ...common,
  failure,
  denied,
  notFound,
  offline,
  language,
  login,
  newPassword,
  password,
  account,
  sessions,
  settings,
  shortcuts,
  storage,
  system,
  live,
  history,
  playback,
  exports,
  review,
  service,
}
