import { Type } from 'typebox'
import { invalidValue } from '../config/schema/describe-constraint.ts'
import { nullableKey, section, type ConfigOf } from '../config/key.ts'
import { configProblem, type EngineProblem, type EngineProblems } from '../config/problem-codes.ts'
import { shownText, type SectionReport } from '../config/problem-collector.ts'
import type { CodedMessage } from '../shared/messages/coded-message.ts'

const S3Config = section(
  {
    endpoint: nullableKey(Type.String({ minLength: 1 }), {
      description:
        'URL of an S3-compatible object storage, without the bucket. Default: no object storage; recordings stay on the disk.',
      allowed: 's3-endpoint',
      examples: ['https://s3.example'],
    }),
    region: Type.String({
      default: 'us-east-1',
      pattern: '^[A-Za-z0-9-]{1,64}$',
      description: 'Region of the bucket, as the storage names it.',
      allowed: 's3-region',
      examples: ['eu-central-1', 'garage'],
    }),
    bucket: nullableKey(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$', allowed: 's3-bucket' }), {
      description: 'Bucket, which must exist.',
      examples: ['cameras'],
    }),
    prefix: Type.String({
      default: '',
      pattern: '^([A-Za-z0-9_-][A-Za-z0-9._-]*/)*$',
      description:
        'Text that every key in the bucket begins with: empty, or folders that each end with `/`. Needed if something else is in the same bucket.',
      allowed: 's3-prefix',
      examples: ['gatehouse/'],
    }),
    access_key_id: nullableKey(Type.String({ pattern: '^[!-~]{1,256}$', allowed: 'access-key' }), {
      description: 'Access key ID for the object storage.',
      examples: ['gatehouse'],
    }),
    secret_access_key: nullableKey(Type.String({ minLength: 1 }), {
      secret: true,
      description: 'Secret access key. A `{SERVICE_S3_…}` placeholder keeps it out of this file.',
      allowed: 'secret',
      examples: ['{SERVICE_S3_SECRET}'],
    }),
  },
  { description: 'The object storage.' },
)

const TierConfig = section(
  {
    after_hours: Type.Number({
      default: 24,
      minimum: 0,
      maximum: 87_600,
      description:
        'Hours after which a recording moves from the disk to the object storage. Not sooner than five minutes after it ended.',
    }),
    max_gb: nullableKey(Type.Number({ exclusiveMinimum: 0 }), {
      description:
        'Gigabytes (10⁹ bytes) of recordings kept in the object storage; the oldest are deleted first. Default: no limit besides the days that recordings are kept.',
      examples: [2000],
    }),
  },
  { description: 'When recordings move to the object storage, and how much it keeps.' },
)

export const StorageConfig = section(
  { s3: S3Config, tier: TierConfig },
  {
    title: 'storage',
    description:
      'Object storage for older recordings, which still play as before. With it, `recording.max_gb` limits what is on the disk.',
  },
)

export type StorageConfig = ConfigOf<typeof StorageConfig>

/** An object storage, fully configured. Contains a secret. */
export interface S3Settings {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** @returns undefined if no object storage is configured */
export function s3Settings({ s3 }: StorageConfig): S3Settings | undefined {
  const { endpoint, region, bucket, prefix, access_key_id: accessKeyId, secret_access_key: secretAccessKey } = s3
  if (endpoint === null || bucket === null || accessKeyId === null || secretAccessKey === null) return undefined
  return { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey }
}

export interface StorageConfigProblems {
  'requires-key': { readonly other: string }
  'invalid-secret': null
}

type StorageProblems = CodedMessage<StorageConfigProblems & EngineProblems> | EngineProblem

export function checkStorage({ s3 }: StorageConfig, { problem }: SectionReport<StorageProblems>): void {
  const { endpoint, secret_access_key: secret } = s3
  const at = ['storage', 's3'] as const
  if (endpoint !== null) {
    if (!isEndpoint(endpoint)) {
      problem([...at, 'endpoint'], invalidValue(S3Config.properties.endpoint, { found: shownText(endpoint) }))
    }
    for (const key of ['bucket', 'access_key_id', 'secret_access_key'] as const) {
      if (s3[key] === null) {
        problem([...at, 'endpoint'], configProblem('requires-key', { other: `storage.s3.${key}` }))
      }
    }
  }
  if (secret !== null && !/^[!-~]{1,256}$/.test(secret)) {
    problem([...at, 'secret_access_key'], configProblem('invalid-secret'))
  }
}

/** An `http:` or `https:` URL without path, query, fragment and credentials. */
function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  if (!url || /[\s\p{Cc}\\?#]/u.test(text) || url.username !== '' || url.password !== '') return false
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.pathname === '/'
}
