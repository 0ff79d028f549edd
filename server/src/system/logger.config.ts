import { Type } from 'typebox'
import { logLevels } from '../shared/log.ts'
import { section, type ConfigOf } from '../config/key.ts'

export const LoggerConfig = section(
  {
    default: Type.Enum([...logLevels], {
      default: 'info',
      description: 'Level of every logger not listed in `logs`.',
    }),
    logs: Type.Record(Type.String(), Type.Enum([...logLevels]), {
      default: {},
      description:
        'Level by logger name. `service.api.auth` at `debug` shows which headers a proxy sent, and the resulting role.',
      examples: [{ 'service.api.auth': 'debug' }],
    }),
  },
  { title: 'logger', description: 'Log output.' },
)

export type LoggerConfig = ConfigOf<typeof LoggerConfig>
