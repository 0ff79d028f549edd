import type { ProxyConfig } from '../config/proxy.config.ts'
import { unauthenticated, type Identity } from '../../access/identity.ts'
import type { Roles } from '../../access/role.ts'
import type { Authentication } from '../../http/authentication.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { isDistinct, isSingleLine, isVisible } from '../../shared/display-name.ts'
import { trimmed } from '../../shared/http/header-value.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import type { Log } from '../../shared/log.ts'
import { networksFrom, type InNetworks } from '../../shared/http/networks.ts'
import type { CodedMessage } from '../../shared/messages/coded-message.ts'
import type { PreviewedCaller } from '../previewed-caller.ts'
import { createAddressLogLimit } from './address-log-limit.ts'
import { headerText, visible } from './header-text.ts'
import { accessRule, createRoleResolver, type RoleChoice, type RoleRules } from './proxy-role.ts'
import { isProxySecretValid } from './proxy-secret.ts'

export interface ProxyHeadersDeps {
  readonly proxy: () => ProxyConfig
  readonly roles: () => Roles
  /** Lower-case names of the headers that can contain an identity (PROXY-9). */
  readonly trustedHeaders: readonly string[]
  readonly clock: Pick<Clock, 'elapsed'>
  /** `service.api.auth` */
  readonly log: Log
}

interface RejectionRules {
  'untrusted-peer': null
  'wrong-secret': null
  'user-header-twice': null
  'user-header-missing': null
  'user-header-invalid': null
  'display-name-header-twice': null
  'role-header-twice': null
}

/** The rules by which headers are accepted or rejected. */
export interface HeaderRules extends RoleRules, RejectionRules {
  'signs-in-here': null
  'role-header-missing': null
}

/** The identity in a request's headers, and the rule that decided it. */
interface Reading {
  readonly identity: Identity
  readonly groups: readonly string[]
  readonly reason: CodedMessage<HeaderRules>
}

/** The parsed configuration, shared by all requests until it changes. */
interface Reader {
  readonly section: ProxyConfig
  /** Mapped header names, in lower case. */
  readonly userHeader: string | undefined
  readonly displayNameHeader: string | undefined
  readonly roleHeader: string | undefined
  readonly roles: Roles
  readonly inTrustedPeers: InNetworks
  readonly choose: (values: readonly string[]) => RoleChoice
}

/** Reads identities from a proxy's headers. */
export interface ProxyHeaders {
  /** Authenticates a request by its headers alone, without the database. */
  authenticate(meta: RequestMeta): Authentication
  /** Logs the headers of a request that is refused before it's authenticated (PROXY-11). */
  logRefused(meta: RequestMeta): void
  /** Whether the headers name a user, trusted or not. An empty header counts as missing. */
  nameUser(meta: RequestMeta): boolean
  /** Whether the named user is accepted. Does not write to the log. */
  areTrusted(meta: RequestMeta): boolean
  /** Whether a header of the proxy is sent twice with different values (PROXY-15). */
  contradict(meta: RequestMeta): boolean
}

export function createProxyHeaders(deps: ProxyHeadersDeps): ProxyHeaders {
  const { clock, log } = deps
  const current = currentReader(deps)
  const isToWarn = createAddressLogLimit(clock)
  /** PROXY-11 */
  const logReading = (meta: RequestMeta, reading: Reading): void => {
    const { code, message } = reading.reason
    // An admin has to change something at the proxy. The name isn't logged: it can be anything.
    if (code === 'user-header-invalid' && isToWarn(meta.peer))
      log.warn({ peer: meta.peer, reason: message, hint: seeHeaders }, 'username from the proxy rejected')
    if (!log.enabled('debug')) return
    const fields = logFields(meta, reading, deps.trustedHeaders)
    if (reading.identity.kind === 'authenticated') log.debug(fields, 'authenticated by proxy headers')
    else log.debug(fields, 'refused by proxy headers')
  }
  const authentication = (
    meta: RequestMeta,
    { identity }: Reading,
    { section }: Reader,
    began: number,
  ): Authentication => ({
    identity,
    ambient: true,
    endsAt: began + section.recheck_interval * 1000,
    reauthenticate() {
      const reader = current()
      return authentication(meta, read(meta, reader), reader, began)
    },
  })
  return {
    authenticate(meta) {
      const reader = current()
      const reading = read(meta, reader)
      logReading(meta, reading)
      return authentication(meta, reading, reader, clock.elapsed())
    },
    logRefused: (meta) => logReading(meta, read(meta, current())),
    nameUser(meta) {
      const { userHeader } = current()
      return userHeader !== undefined && meta.values(userHeader).some((value) => trimmed(value) !== '')
    },
    areTrusted: (meta) => read(meta, current()).identity.kind === 'authenticated',
    contradict(meta) {
      const { userHeader, displayNameHeader, roleHeader } = current()
      return [userHeader, displayNameHeader, roleHeader, 'x-proxy-secret'].some(
        (name) => name !== undefined && differ(meta.values(name)),
      )
    },
  }
}

const seeHeaders = 'set the level of service.api.auth to debug to see the headers'

/**
 * Reads headers that an admin typed. The secret and the peer are not checked, because only the proxy has them.
 *
 * @param passwordSignIn `auth.enabled` at startup, beside the deps
 */
export function explainProxyHeaders(
  { proxy, roles, passwordSignIn }: Pick<ProxyHeadersDeps, 'proxy' | 'roles'> & { readonly passwordSignIn: boolean },
  headers: Readonly<Record<string, string | readonly string[]>>,
): PreviewedCaller {
  const sent = new Map<string, string[]>()
  for (const [name, values] of Object.entries(headers)) {
    const asSent = [values].flat().map((value) => Buffer.from(value, 'utf8').toString('latin1'))
    const key = name.trim().toLowerCase()
    sent.set(key, [...(sent.get(key) ?? []), ...asSent])
  }
  const { identity, reason } = readHeaders({ values: (name) => sent.get(name) ?? [] }, readerOf(proxy(), roles()))
  // PROXY-17
  const signsInHere = reason.code === 'user-header-missing' && passwordSignIn && proxy().enabled
  return signsInHere ? { identity: unauthenticated, reason: accessRule('signs-in-here') } : { identity, reason }
}

function currentReader({ proxy, roles }: ProxyHeadersDeps): () => Reader {
  let reader: Reader | undefined
  return () => {
    const [section, known] = [proxy(), roles()]
    if (reader?.section !== section || reader.roles !== known) reader = readerOf(section, known)
    return reader
  }
}

function readerOf(section: ProxyConfig, roles: Roles): Reader {
  return {
    section,
    roles,
    userHeader: section.header_map.user?.toLowerCase(),
    displayNameHeader: section.header_map.display_name?.toLowerCase(),
    roleHeader: section.header_map.role?.toLowerCase(),
    inTrustedPeers: section.trusted_peers ? networksFrom(section.trusted_peers) : () => true,
    choose: createRoleResolver({
      roleMap: section.header_map.role_map,
      defaultRole: section.default_role,
      names: roles.names,
    }),
  }
}

function read(meta: RequestMeta, reader: Reader): Reading {
  const { auth_secret: secret } = reader.section
  if (!reader.inTrustedPeers(meta.peer)) return rejected('untrusted-peer')
  if (typeof secret === 'string' && !isProxySecretValid(meta, secret)) return rejected('wrong-secret')
  return readHeaders(meta, reader)
}

function readHeaders(
  headers: Pick<RequestMeta, 'values'>,
  { section, userHeader, displayNameHeader, roleHeader, choose }: Reader,
): Reading {
  let name = 'anonymous'
  if (userHeader !== undefined) {
    const sent = headers.values(userHeader)
    if (differ(sent)) return rejected('user-header-twice')
    name = trimmed(headerText(sent[0] ?? ''))
    if (name === '') return rejected('user-header-missing')
    if (name.length > maxNameLength || !isDistinct(name)) return rejected('user-header-invalid')
  }
  const shown = displayNameHeader === undefined ? [] : headers.values(displayNameHeader)
  if (differ(shown)) return rejected('display-name-header-twice')
  const sent = roleHeader === undefined ? [] : headers.values(roleHeader)
  if (differ(sent)) return rejected('role-header-twice')
  const groups = headerText(sent[0] ?? '')
    .split(section.separator)
    .map(trimmed)
    .filter((group) => group !== '')
  const { role, reason } = section.require_role_header && sent.length === 0 ? withoutRoleHeader : choose(groups)
  const identity: Identity = {
    kind: 'authenticated',
    authMethod: 'proxy',
    name,
    ...displayNameFrom(shown[0]),
    key: name,
    userId: null,
    role,
    session: undefined,
  }
  return { identity, groups, reason }
}

/** PROXY-20 */
const withoutRoleHeader = { role: undefined, reason: accessRule('role-header-missing') }

/** UTF-16 code units. */
const maxNameLength = 256

/** PROXY-21: a display name that is missing, or isn't a name, leaves the username as the only one. */
function displayNameFrom(value: string | undefined): { readonly displayName?: string } {
  const displayName = trimmed(headerText(value ?? ''))
  const isName = displayName.length <= maxNameLength && isSingleLine(displayName) && isVisible(displayName)
  return isName ? { displayName } : {}
}

const differ = ([first, ...more]: readonly string[]): boolean => more.some((other) => other !== first)

const rejected = (code: keyof RejectionRules): Reading => ({
  identity: unauthenticated,
  groups: [],
  reason: accessRule(code),
})

/** Headers that are never logged, even if the list of trusted headers includes them. */
const secretive = /secret|cookie|authorization|token|password|jwt|assertion/

/** PROXY-11: the received headers and the resulting identity, for the log. */
function logFields(
  meta: RequestMeta,
  { identity, groups, reason }: Reading,
  trustedHeaders: readonly string[],
): object {
  const received = new Map<string, string>()
  for (const name of trustedHeaders) {
    const values = secretive.test(name) ? [] : meta.values(name)
    if (values.length > 0) received.set(name, values.map((value) => visible(headerText(value))).join(', '))
  }
  const known = identity.kind === 'authenticated' ? identity : undefined
  return {
    peer: meta.peer,
    headers: Object.fromEntries(received),
    groups: groups.map(visible),
    user: known && visible(known.name),
    role: known?.role,
    reason: visible(reason.message),
  }
}
