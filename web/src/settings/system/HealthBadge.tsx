import { Badge } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

/** Whether a part of the service works. */
export const HealthBadge = ({ works, children }: { works: boolean; children: string }) => (
  <Badge
    size="lg"
    tt="none"
    variant="light"
    color={works ? 'gate' : 'red'}
    leftSection={works ? <IconCheck size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />}
  >
    {children}
  </Badge>
)
