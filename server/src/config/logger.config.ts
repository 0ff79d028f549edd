import { Type } from 'typebox'
import { logLevels } from '../shared/log.ts'
import { section, type Read } from './key.ts'

export const LoggerConfig = section(
  {
    default: Type.Enum([...logLevels], {
      default: 'info',
      description: 'Level of every logger that `logs` does not name.',
    }),
    logs: Type.Record(Type.String(), Type.Enum([...logLevels]), {
      default: {},
      description:
        "Levels by the logger's name. `service.api.auth` at `debug` shows which headers a proxy sent, and which role they gave.",
      examples: [{ 'service.api.auth': 'debug' }],
    }),
  },
  { title: 'logger', description: 'What the log tells.' },
)

export type LoggerConfig = Read<typeof LoggerConfig>
