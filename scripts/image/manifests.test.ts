import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { firstConfig } from '../../packaging/home-assistant/first-config.ts'
import { programFolder } from '../debian/stage-program.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'packaging')
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

/** Compares parts of a document, named by their paths, with what they have to be. */
function expectParts(document: unknown, parts: Readonly<Record<string, unknown>>): void {
  const found = Object.keys(parts).map((path) => [path, path.split('.').reduce(stepInto, document)])
  expect(Object.fromEntries(found)).toEqual(parts)
}

const stepInto = (value: unknown, name: string): unknown => (value as Record<string, unknown> | undefined)?.[name]

test('[PORT-6] the compose file opens the gate only, and takes from the container what it doesn’t need', () => {
  expectParts(parse(textOf('compose.yaml')), {
    'services.gatehouse.image': `gatehouse:${version}`,
    'services.gatehouse.ports': ['8971:8971'],
    'services.gatehouse.user': '1000:1000',
    'services.gatehouse.read_only': true,
    'services.gatehouse.cap_drop': ['ALL'],
    'services.gatehouse.security_opt': ['no-new-privileges:true'],
    'services.gatehouse.privileged': undefined,
    'services.gatehouse.network_mode': undefined,
    'services.gatehouse.volumes': ['config:/config', 'media:/media'],
    volumes: { config: null, media: null },
  })
})

describe('the Kubernetes manifests', () => {
  const documents = parseAllDocuments(textOf('kubernetes/gatehouse.yaml')).map((each) => {
    expect(each.errors).toEqual([])
    return each.toJS() as { kind: string; metadata: { name: string; namespace?: string } }
  })
  const one = (kind: string) => documents.find((each) => each.kind === kind)

  test('are complete, and each is in the namespace that allows only restricted pods', () => {
    const kinds = ['Namespace', 'Secret', 'StatefulSet', 'Service', 'NetworkPolicy']
    expect(documents.map(({ kind }) => kind)).toEqual(kinds)
    expect(documents.slice(1).map(({ metadata }) => metadata.namespace)).toEqual(Array(4).fill('gatehouse'))
    expectParts(one('Namespace'), { 'metadata.labels': { 'pod-security.kubernetes.io/enforce': 'restricted' } })
  })

  test('run the pod without root, capabilities or a root file system that can be written', () => {
    const pod = 'spec.template.spec'
    expectParts(one('StatefulSet'), {
      'spec.replicas': 1,
      [`${pod}.automountServiceAccountToken`]: false,
      [`${pod}.hostNetwork`]: undefined,
      [`${pod}.securityContext.runAsNonRoot`]: true,
      [`${pod}.securityContext.runAsUser`]: 1000,
      [`${pod}.securityContext.fsGroup`]: 1000,
      [`${pod}.securityContext.seccompProfile`]: { type: 'RuntimeDefault' },
      [`${pod}.containers.length`]: 1,
      [`${pod}.containers.0.image`]: `gatehouse:${version}`,
      [`${pod}.containers.0.securityContext`]: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      [`${pod}.containers.0.ports`]: [{ name: 'gate', containerPort: 8971 }],
      ...Object.fromEntries(
        ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => [
          `${pod}.containers.0.${probe}.httpGet`,
          { path: '/api/health', port: 'gate', scheme: 'HTTPS' },
        ]),
      ),
    })
  })

  test('[PORT-6] let no one but the pod itself reach the internal port', () => {
    const labels = { app: 'gatehouse' }
    expectParts(one('NetworkPolicy'), {
      'spec.podSelector': { matchLabels: labels },
      'spec.policyTypes': ['Ingress'],
      'spec.ingress': [{ ports: [{ protocol: 'TCP', port: 8971 }] }],
    })
    expectParts(one('Service'), {
      'spec.selector': labels,
      'spec.type': undefined,
      'spec.ports': [{ name: 'gate', port: 8971, targetPort: 'gate' }],
    })
    expectParts(one('StatefulSet'), { 'spec.template.metadata.labels': labels })
  })
})

describe('the add-on of Home Assistant', () => {
  const addOn = parse(textOf('home-assistant/gatehouse/config.yaml')) as {
    environment: Record<string, string>
    schema: Record<string, string>
  }

  test('has what the supervisor needs, opens no port, and asks for no privilege', () => {
    expectParts(addOn, {
      version,
      slug: 'gatehouse',
      arch: ['amd64', 'aarch64'],
      init: false,
      ingress: true,
      ingress_port: 8971,
      ports: { '8971/tcp': null },
      host_network: undefined,
      privileged: undefined,
      full_access: undefined,
      apparmor: undefined,
      hassio_api: undefined,
      homeassistant_api: undefined,
    })
    expect(addOn.environment['TRUSTED_HEADERS_FILE']).toBe(
      `/${programFolder}/packaging/home-assistant/trusted_headers.conf`,
    )
  })

  test('explains its options in five languages', () => {
    const files = globSync('home-assistant/gatehouse/translations/*.yaml', { cwd: folder })
    expect(files).toHaveLength(5)
    for (const file of files) {
      const { configuration } = parse(textOf(file)) as { configuration: Record<string, Record<string, string>> }
      expect(Object.keys(configuration)).toEqual(Object.keys(addOn.schema))
      for (const text of Object.values(configuration)) expect(Object.keys(text)).toEqual(['name', 'description'])
    }
  })

  test.each([
    [{ first_admin: '0123456789abcdef0123456789abcdef' }, { admin: ['0123456789abcdef0123456789abcdef'] }],
    [{}, undefined],
    [{ first_admin: '' }, undefined],
    [{ first_admin: 7 }, undefined],
    [{ first_admin: 'x]\nauth: {enabled: false}' }, undefined],
    [{ first_admin: '0123456789abcdef0123456789abcdef\n' }, undefined],
  ])('its first configuration, with the options %j, has the roles %j', (options, roles) => {
    expectParts(parse(firstConfig(options)), {
      'proxy.header_map.role_map': roles,
      'proxy.trusted_peers': ['172.30.32.2'],
      'proxy.default_role': undefined,
      'auth.enabled': undefined,
    })
  })
})
