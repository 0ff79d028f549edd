import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { number } = countingIn('es')

export const log: AdminTexts['log'] = {
  lead: 'Las líneas más recientes desde el inicio. Qué hizo cada quien está en la auditoría.',
  logger: 'Componente',
  allLoggers: 'Todos los componentes',
  level: 'Desde el nivel',
  levels: { debug: 'Depuración', info: 'Información', warn: 'Advertencia', error: 'Error' },
  search: 'Buscar',
  follow: 'Seguir',
  lines: 'Líneas del registro',
  count: (shown, all) => (shown === all ? `Líneas: ${number(all)}` : `Líneas: ${number(shown)} de ${number(all)}`),
  noDetails: 'No hay más detalles.',
  copy: 'Copiar',
  copyAll: 'Copiar todas las líneas',
  copied: 'Copiado',
  noneTitle: 'Sin líneas',
  none: 'Ninguna línea coincide con lo que buscas.',
  clear: 'Mostrar todas las líneas',
  toNewest: 'Ir a la línea más reciente',
}
