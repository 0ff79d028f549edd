import { Type } from 'typebox'
import { logLevels } from '../shared/log.ts'
import { section, table, type ConfigOf } from '../config/key.ts'

export const LoggerConfig = section(
  {
    default: Type.Enum([...logLevels], {
      default: 'info',
      description: 'Level of every logger not listed in `logs`.',
    }),
    logs: table(Type.Enum([...logLevels]), {
      description:
        'Level by logger name. `service.api.auth` at `debug` shows which headers a proxy sent, and the resulting role.',
      examples: [{ 'service.api.auth': 'debug' }],
    }),
  },
  { title: 'logger', description: 'Log output.' },
)

export type LoggerConfig = ConfigOf<typeof LoggerConfig>
