import { accessPages } from './access.ts'
import { accountPages } from './account.ts'
import { camerasPages } from './cameras.ts'
import { configPages } from './config.ts'
import { exportsPages } from './exports.ts'
import { historyPages } from './history.ts'
import { instancesPages } from './instances.ts'
import { linksPages } from './links.ts'
import { livePages } from './live.ts'
import { logsPages } from './logs.ts'
import { oneTimeLinkPages } from './one-time-links.ts'
import { providerPages } from './provider.ts'
import { reviewPages } from './review.ts'
import { rolesPages } from './roles.ts'
import { screensPages } from './screens.ts'
import { shellPages } from './shell.ts'
import { signInPages } from './sign-in.ts'
import { storagePages } from './storage.ts'
import { tokensPages } from './tokens.ts'
import { usersPages } from './users.ts'
import type { PageState } from './page-state.ts'

/** Every page, in every state that looks different. All are captured in screenshots and checked by the UI tests. */
export const pageStates: readonly PageState[] = [
  ...signInPages,
  ...providerPages,
  ...livePages,
  ...accountPages,
  ...tokensPages,
  ...historyPages,
  ...reviewPages,
  ...exportsPages,
  ...linksPages,
  ...shellPages,
  ...usersPages,
  ...oneTimeLinkPages,
  ...rolesPages,
  ...camerasPages,
  ...screensPages,
  ...accessPages,
  ...storagePages,
  ...instancesPages,
  ...configPages,
  ...logsPages,
]
