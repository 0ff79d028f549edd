import { access } from './access.ts'
import { account, password, sessions } from './account.ts'
import { audit } from './audit.ts'
import { cameras } from './cameras.ts'
import { common } from './common.ts'
import { config } from './config.ts'
import { denied, failure, language, notFound, offline } from './frame.ts'
import { live } from './live.ts'
import { log } from './log.ts'
import { login, newPassword } from './session.ts'
import { roles } from './roles.ts'
import { service } from './service.ts'
import { settings } from './settings.ts'
import { system } from './system.ts'
import { users } from './users.ts'
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
  users,
  roles,
  live,
  config,
  access,
  audit,
  log,
  system,
  cameras,
  service,
}
