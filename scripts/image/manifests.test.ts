import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { firstConfig } from '../../packaging/home-assistant/first-config.ts'
import { configFormat } from '../../server/src/app/config/load-config.ts'
import { loadMachine } from '../../server/src/config/source/machine-file.ts'
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

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

/** The manifests in a file. */
const manifestsIn = (file: string): Manifest[] =>
  parseAllDocuments(textOf(`kubernetes/${file}`)).map((each) => {
    expect(each.errors).toEqual([])
    return each.toJS() as Manifest
  })

const gatePort = { name: 'gate', containerPort: 8971 }
const instancesPort = { name: 'instances', containerPort: 7443 }
const pod = 'spec.template.spec'
const labels = { app: 'gatehouse' }
const asks = (path: string) => ({ path, port: 'gate', scheme: 'HTTPS' })

describe.each([
  ['gatehouse.yaml', ['Secret', 'StatefulSet', 'Service', 'NetworkPolicy'], 1, [gatePort]],
  [
    'several-instances.yaml',
    ['Secret', 'ConfigMap', 'StatefulSet', 'Service', 'Service', 'NetworkPolicy'],
    3,
    [gatePort, instancesPort],
  ],
])('the Kubernetes manifests in %s', (file, kinds, replicas, ports) => {
  const documents = manifestsIn(file)
  const one = (kind: string) => documents.find((each) => each.kind === kind)

  test('are complete, and each is in the namespace that allows only restricted pods', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['Namespace', ...kinds])
    expect(documents.slice(1).map(({ metadata }) => metadata.namespace)).toEqual(kinds.map(() => 'gatehouse'))
    expectParts(one('Namespace'), { 'metadata.labels': { 'pod-security.kubernetes.io/enforce': 'restricted' } })
  })

  test('run the pod without root, capabilities or a root file system that can be written', () => {
    expectParts(one('StatefulSet'), {
      'spec.replicas': replicas,
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
      [`${pod}.containers.0.ports`]: ports,
    })
  })

  test('send users only to a pod that reaches its database, and restart none because it does not', () => {
    expectParts(one('StatefulSet'), {
      [`${pod}.containers.0.startupProbe.httpGet`]: asks('/'),
      [`${pod}.containers.0.readinessProbe.httpGet`]: asks('/api/health'),
      [`${pod}.containers.0.livenessProbe.httpGet`]: asks('/'),
    })
  })

  test('[PORT-6] let no one but the pod itself reach the internal port', () => {
    const policy = one('NetworkPolicy')
    expectParts(policy, {
      'spec.podSelector': { matchLabels: labels },
      'spec.policyTypes': ['Ingress'],
      'spec.ingress.0': { ports: [{ protocol: 'TCP', port: 8971 }] },
      'spec.ingress.length': ports.length,
    })
    expectParts(one('Service'), {
      'spec.selector': labels,
      'spec.type': undefined,
      'spec.ports': [{ name: 'gate', port: 8971, targetPort: 'gate' }],
    })
    expectParts(one('StatefulSet'), { 'spec.template.metadata.labels': labels })
  })
})

describe('the Kubernetes manifests of several instances', () => {
  const documents = manifestsIn('several-instances.yaml')
  const one = (kind: string, name = 'gatehouse') =>
    documents.find((each) => each.kind === kind && each.metadata.name === name)

  test('give each pod its own valid configuration, with an address at which the others reach it', () => {
    const texts = (one('ConfigMap') as unknown as { data: Record<string, string> }).data
    const { replicas, serviceName } = (one('StatefulSet') as unknown as { spec: Record<string, unknown> }).spec
    const names = Array.from({ length: Number(replicas) }, (_, nth) => `gatehouse-${nth}`)
    expect(Object.keys(texts)).toEqual(names.map((name) => `${name}.yml`))
    const trustedHeaders = { names: new Set<string>(), file: '' }
    const format = configFormat({ mediaDir: '/media', trustedHeaders, lookup: () => 'filled in' })
    for (const name of names) {
      const found = loadMachine(texts[`${name}.yml`]!, format)
      expect(found?.parts.shared).toEqual([])
      expect(found?.config.config.node.address).toBe(`https://${name}.${String(serviceName)}:7443`)
    }
    expect(one('StatefulSet')).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [
              {
                env: expect.arrayContaining([
                  { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
                ]) as unknown,
                volumeMounts: expect.arrayContaining([
                  {
                    name: 'settings',
                    mountPath: '/config/config.yml',
                    subPathExpr: '$(POD_NAME).yml',
                    readOnly: true,
                  },
                ]) as unknown,
              },
            ],
          },
        },
      },
    })
  })

  test('[NODE-3] let only the pods themselves reach the port for other instances, ready for users or not', () => {
    expectParts(one('NetworkPolicy'), {
      'spec.ingress.1': {
        from: [{ podSelector: { matchLabels: labels } }],
        ports: [{ protocol: 'TCP', port: 7443 }],
      },
    })
    expectParts(one('Service', 'gatehouse-instances'), {
      'spec.clusterIP': 'None',
      'spec.publishNotReadyAddresses': true,
      'spec.selector': labels,
      'spec.ports': [{ name: 'instances', port: 7443, targetPort: 'instances' }],
    })
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
