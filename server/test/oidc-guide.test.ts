import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { builtinRoles } from '../src/access/role.ts'
import { loadConfig } from '../src/app/config/load-config.ts'
import { nameOfClaims, roleOfClaims } from '../src/auth/oidc/provider-role.ts'
import { problemLines } from '../src/config/problem-collector.ts'
import { guideBlock } from './support/fronts.ts'

const page = 'openid-connect'
const load = (text: string) =>
  loadConfig(text, {
    mediaDir: '/media',
    trustedHeaders: { names: new Set(), file: '' },
    lookup: (name) => (name === 'SERVICE_OIDC_SECRET' ? 'the client secret' : undefined),
  })

const guide = readFileSync(resolve(import.meta.dirname, `../../docs/guides/${page}.md`), 'utf8')
const blocks = [...guide.matchAll(/^ *```yaml\n([\s\S]*?)^ *```$/gm)]
  .map(([, block = '']) => block)
  .filter((block) => !block.startsWith('# Authelia'))

test.each(blocks.map((block) => [/issuer: \S+/.exec(block)?.[0], block]))(
  'the block with %s passes the check of the configuration, without a warning',
  (_, block) => {
    const { problems, warnings } = load(block)
    expect(problemLines('config.yml', [...problems, ...warnings])).toEqual([])
  },
)

test('the block of Authelia registers the URI and the scopes of the other one', () => {
  const { identity_providers: at } = parse(guideBlock('yaml', 'redirect_uris', page)) as {
    identity_providers: { oidc: { clients: { scopes: string[]; redirect_uris: string[] }[] } }
  }
  const { oidc } = load(guideBlock('yaml', 'issuer: https://auth.example\n', page)).config!.auth
  expect(at.oidc.clients[0]).toMatchObject({
    client_id: oidc.client_id,
    scopes: oidc.scopes,
    redirect_uris: ['https://cam.example/api/oidc/callback'],
  })
})

const zitadelRoles = 'urn:zitadel:iam:org:project:roles'
const zitadelOrg = { '216582145803878403': 'home.zitadel.example' }
const googleIdToken = {
  iss: 'https://accounts.google.com',
  azp: '1234567890-abc.apps.googleusercontent.com',
  aud: '1234567890-abc.apps.googleusercontent.com',
  email_verified: true,
}
const entraIdToken = {
  iss: 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0',
  tid: '11111111-2222-3333-4444-555555555555',
  oid: 'cb7eda1b-d09a-419e-b8bb-37836ebc6abd',
  sub: 'dx-4lf-0loB3c3uVrULnZ2VTLuRRWYff0q7-QlIfYU4',
  name: 'Ann',
  preferred_username: 'ann@example.com',
  ver: '2.0',
}

/** What a provider's documentation says that it sends. The claims of the userinfo endpoint and of the ID token are one object. */
const sent: readonly (readonly [block: string, name: string, claims: object, role: string | undefined])[] = [
  ['issuer: https://auth.example\n', 'john', { preferred_username: 'john', groups: ['dev', 'family'] }, 'viewer'],
  ['issuer: https://auth.example\n', 'john', { preferred_username: 'john', groups: [] }, undefined],
  // Without the scope `groups`.
  ['issuer: https://auth.example\n', 's', { sub: 's', rat: 1, amr: ['pwd', 'otp', 'mfa'] }, undefined],
  ['authentik.example', 'akadmin', { preferred_username: 'akadmin', groups: ['authentik Admins'] }, 'admin'],
  ['authentik.example', 'ann', { preferred_username: 'ann', groups: ['authentik Read-only', 'family'] }, 'viewer'],
  ['authentik.example', 'ann', { preferred_username: 'ann', groups: ['Family'] }, undefined],
  ['viewer: [/family', 'ann', { preferred_username: 'ann', groups: ['/family'] }, 'viewer'],
  ['viewer: [/family', 'ann', { preferred_username: 'ann', groups: ['/family/guests', '/sysadmins'] }, 'admin'],
  // Without the full group path.
  ['viewer: [/family', 'ann', { preferred_username: 'ann', groups: ['family'] }, undefined],
  [
    'realm_access.roles',
    'ann',
    { preferred_username: 'ann', realm_access: { roles: ['default-roles-home', 'offline_access', 'camera-viewer'] } },
    'viewer',
  ],
  ['realm_access.roles', 'ann', { preferred_username: 'ann' }, undefined],
  [
    'home.zitadel.example',
    'ann@home.zitadel.example',
    { preferred_username: 'ann@home.zitadel.example', [zitadelRoles]: { 'camera-admin': zitadelOrg, cfo: zitadelOrg } },
    'admin',
  ],
  // Without "Assert Roles on Authentication".
  ['home.zitadel.example', 'ann', { preferred_username: 'ann' }, undefined],
  ['pocket-id.example', 'ann', { preferred_username: 'ann', display_name: 'Ann', groups: ['family'] }, 'viewer'],
  [
    'groups_claim: sub',
    'ann@example.com',
    { ...googleIdToken, sub: '110169484474386276334', email: 'ann@example.com', hd: 'example.com' },
    'admin',
  ],
  [
    'groups_claim: sub',
    'bob@gmail.com',
    { ...googleIdToken, sub: '111260650121185072906', email: 'bob@gmail.com' },
    'viewer',
  ],
  // An account that is not listed, also with an address like one that is.
  ['groups_claim: sub', 'eve@gmail.com', { ...googleIdToken, sub: '99', email: 'eve@gmail.com' }, undefined],
  ['groups_claim: sub', 'ann@example.com', { ...googleIdToken, sub: '99', email: 'ann@example.com' }, undefined],
  ['groups_claim: hd', 'ann@example.com', { ...googleIdToken, email: 'ann@example.com', hd: 'example.com' }, 'viewer'],
  ['groups_claim: hd', 'ann@example.com', { ...googleIdToken, email: 'ann@example.com' }, undefined],
  [
    'groups_claim: hd',
    'x@other.example',
    { ...googleIdToken, email: 'x@other.example', hd: 'other.example' },
    undefined,
  ],
  ['login.microsoftonline.com', 'ann@example.com', { ...entraIdToken, roles: ['camera-viewer'] }, 'viewer'],
  ['login.microsoftonline.com', 'ann@example.com', entraIdToken, undefined],
  // More than 200 groups.
  [
    'login.microsoftonline.com',
    'ann@example.com',
    {
      ...entraIdToken,
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.windows.net/11111111/users/cb7eda1b/getMemberObjects' } },
    },
    undefined,
  ],
]

describe('[OIDC-3] what a provider sends, with the block of the guide', () => {
  test.each(sent)('%s: %s, %j: %s', (block, name, claims, role) => {
    const { oidc, roles } = load(guideBlock('yaml', block, page)).config!.auth
    const names = [...builtinRoles, ...roles.keys()]
    const received = { sub: 's', ...claims }
    expect(roleOfClaims(received, oidc, { names }).role).toBe(role)
    expect(nameOfClaims(received, received.sub, oidc)).toBe(name)
  })

  test('no block of the guide has a default role', () => {
    for (const block of blocks) expect(block).not.toContain('default_role')
  })
})
