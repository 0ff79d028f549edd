import { access } from './access.ts'
import { account, password, sessions } from './account.ts'
import { audit } from './audit.ts'
import { cameras } from './cameras.ts'
import { common } from './common.ts'
import { config } from './config.ts'
import { denied, failure, language, notFound, offline } from './frame.ts'
import { history } from './history.ts'
import { live } from './live.ts'
import { exports } from './exports.ts'
import { log } from './log.ts'
import { login, newPassword } from './session.ts'
import { playback } from './playback.ts'
import { review } from './review.ts'
import { roles } from './roles.ts'
import { service } from './service.ts'
import { settings } from './settings.ts'
import { shortcuts } from './shortcuts.ts'
import { storage } from './storage.ts'
import { system } from './system.ts'
import { users } from './users.ts'
import type { Texts } from '../texts.ts'

/** Every text of the UI, in Simplified Chinese. */
export const zh: Texts = {
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
  users,
  roles,
  live,
  history,
  playback,
  config,
  access,
  audit,
  log,
  storage,
  exports,
  review,
  system,
  cameras,
  service,
}
