import type { AdminTexts } from '../admin-texts.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('es')

export const config: AdminTexts['config'] = {
  title: 'Configuración',
  lead: 'config.yml completo. Cada clave se explica mientras la escribes y cuando pasas el cursor por encima.',
  editor: 'config.yml',
  keys: 'Aquí Tab sangra el texto. Para salir del editor, pulsa Escape y después Tab. Ctrl+Espacio sugiere claves y valores; Ctrl+S guarda.',
  secrets: 'Las contraseñas que contenga este archivo se pueden leer aquí.',
  review: 'Revisar y guardar',
  discard: 'Descartar cambios',
  discardTitle: '¿Descartar tus cambios?',
  discardBody: 'Se perderá lo que cambiaste desde la última vez que guardaste.',
  unsaved: 'Sin guardar',
  unchanged: 'Guardado',
  changed: 'config.yml se cambió en otro lugar. Esta es la versión más reciente.',
  changedMeanwhile: 'Alguien cambió config.yml al mismo tiempo que tú.',
  compare: 'Comparar',
  problems: 'Qué está mal',
  checking: 'Comprobando…',
  fine: 'Sin problemas',
  count: (problems, warnings) =>
    [
      ...(problems === 0
        ? []
        : [plural(problems, { one: '# problema', many: '# de problemas', other: '# problemas' })]),
      ...(warnings === 0
        ? []
        : [plural(warnings, { one: '# advertencia', many: '# de advertencias', other: '# advertencias' })]),
    ].join(', '),
  line: (line) => `Línea ${line}`,
  problem: 'Problema',
  warning: 'Advertencia',
  saveTitle: '¿Guardar estos cambios?',
  saveLead: 'A la izquierda, lo vigente. A la derecha, lo tuyo.',
  saveLeadNarrow: 'Lo rojo se quita, lo verde se añade.',
  save: 'Guardar',
  toEditor: 'Volver al editor',
  inForce: 'Vigente',
  yours: 'Tu versión',
  mendFirst: 'Esto aún no se puede guardar. Corrígelo primero:',
  orphans: {
    title: (count) =>
      plural(count, {
        one: '# usuario perdería el acceso',
        many: '# de usuarios perderían el acceso',
        other: '# usuarios perderían el acceso',
      }),
    body: (roles) =>
      `En tu versión no existe ningún rol ${roles}. Estos usuarios conservan el nombre de su rol, pero no verán nada hasta que el rol vuelva a existir o les asignes otro:`,
    saveAnyway: 'Guardar de todos modos',
  },
  doubtful: 'Esto se puede guardar, pero seguramente no es lo que quieres:',
  savedTitle: 'Guardado',
  applied: 'En vigor desde ya:',
  restart: 'A la espera de reiniciar Gatehouse:',
  nothingApplied: 'El archivo está guardado. Nada cambia en lo que hace Gatehouse.',
  conflict: {
    title: 'Alguien guardó antes que tú',
    lead: 'No se pierde nada tuyo ni se ha sobrescrito nada de la otra persona. Toma lo que quieras de su versión; el lado derecho se puede editar.',
    theirs: 'Su versión, la vigente',
    mine: 'La tuya, como se guardará',
    take: 'Usar lo suyo',
    keep: 'Conservar lo mío',
    leadNarrow:
      'No se pierde nada tuyo ni se ha sobrescrito nada de la otra persona. Lo rojo está solo en su versión; lo verde, solo en la tuya. Lo que quede aquí se puede editar y se guardará.',
    goOn: 'Continuar con el lado derecho',
    goOnNarrow: 'Continuar con esto',
    useTheirs: 'Descartar lo mío y usar su versión',
    dropTitle: '¿Descartar tus cambios?',
    dropBody: 'Se perderá todo lo que cambiaste desde la última vez que guardaste y se mostrará su versión.',
    taken: 'Continúas desde su versión. Tus cambios aún no están guardados.',
  },
  manual: {
    allowed: (values) => `Permitido: ${values.join(', ')}`,
    byDefault: (value) => `Por defecto: ${value}`,
    example: (value) => `Ejemplo: ${value}`,
  },
  /** The editor's own words, by what they are in English. */
  phrases: {
    'Go to line': 'Ir a la línea',
    go: 'ir',
    Find: 'Buscar',
    Replace: 'Reemplazar',
    next: 'siguiente',
    previous: 'anterior',
    all: 'todo',
    'match case': 'distinguir mayúsculas',
    'by word': 'palabra completa',
    regexp: 'expresión regular',
    replace: 'reemplazar',
    'replace all': 'reemplazar todo',
    close: 'cerrar',
    'current match': 'coincidencia actual',
    'on line': 'en la línea',
    'replaced match on line $': 'coincidencia reemplazada en la línea $',
    'replaced $ matches': 'coincidencias reemplazadas: $',
    Diagnostics: 'Problemas',
    'No diagnostics': 'Sin problemas',
    Completions: 'Sugerencias',
    'Control character': 'Carácter de control',
    'Selection deleted': 'Selección eliminada',
    'Folded lines': 'Líneas plegadas',
    'Unfolded lines': 'Líneas desplegadas',
    'Fold line': 'Plegar línea',
    'Unfold line': 'Desplegar línea',
    'folded code': 'código plegado',
    unfold: 'desplegar',
    to: 'a',
    '$ unchanged lines': '$ líneas sin cambios',
  },
}
