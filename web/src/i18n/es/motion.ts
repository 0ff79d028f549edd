import type { MotionTexts } from '../en/motion.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('es')

const masksOf = (count: number) => plural(count, { one: '# máscara', many: '# de máscaras', other: '# máscaras' })

export const motion: MotionTexts = {
  title: (camera) => `Movimiento en ${camera}`,
  lead: 'Dónde se busca y con cuánto detalle. Un cambio vale en cuanto se guarda, y el directo sigue.',
  up: 'Todas las cámaras',
  goneTitle: 'No existe esa cámara',
  gone: (camera) => `No hay ninguna cámara llamada «${camera}». Puede que alguien la haya quitado.`,
  picture: (camera) => `Imagen más reciente de ${camera}`,
  area: (camera) => `Imagen de ${camera} con sus máscaras`,
  frame: {
    off: 'La cámara está apagada, así que no hay imagen. Sus máscaras se conservan.',
    offline: 'La cámara está sin conexión y no se conserva ninguna imagen suya. Sus máscaras siguen valiendo.',
    waiting: 'La primera imagen está en camino.',
    old: (ago) => `La cámara está sin conexión. Esta imagen llegó ${ago}.`,
  },
  masks: {
    title: 'Máscaras',
    lead: 'Partes de la imagen en las que no se busca: un árbol, una calle o el reloj de la cámara. Se siguen viendo y grabando.',
    none: 'Sin máscaras: se busca en toda la imagen.',
    hint: 'Pulsa una máscara para cambiarla, aquí o en la lista.',
    add: 'Añadir máscara',
    name: (number) => `Máscara ${number}`,
    facts: (corners, percent) =>
      plural(
        corners,
        {
          one: '# esquina, {percent} de la imagen',
          many: '# de esquinas, {percent} de la imagen',
          other: '# esquinas, {percent} de la imagen',
        },
        { percent },
      ),
    delete: 'Eliminar máscara',
    deleteOf: (name) => `Eliminar ${name}`,
    all: 'Las máscaras cubren casi toda la imagen. Apenas se encontrará nada.',
  },
  drawing: {
    start: 'Pulsa en la imagen donde van las esquinas, una tras otra.',
    more: (left) =>
      plural(left, {
        one: 'Al menos # esquina más.',
        many: 'Al menos # de esquinas más.',
        other: 'Al menos # esquinas más.',
      }),
    ready: 'La primera esquina o «Terminar» cierra la máscara.',
    keys: 'Con el teclado: las flechas mueven la cruz e Intro pone una esquina.',
    crosshair: (place) => `Cruz, ${place}`,
    finish: 'Terminar',
    takeBack: 'Quitar la última esquina',
  },
  corner: {
    name: (number, mask, place) => `Esquina ${number} de ${mask}, ${place}`,
    whole: (mask, place) => `${mask} entera, ${place}`,
    place: (left, top) => `${left} desde la izquierda, ${top} desde arriba`,
    add: 'Añadir esquina',
    delete: 'Eliminar esquina',
    least: 'Una máscara tiene al menos tres esquinas. Elimina la máscara entera.',
    deleted: 'Esquina eliminada.',
    put: 'Pulsa donde debe ir. Escape la deja donde está.',
    hint: 'Arrastra una esquina, o púlsala y después pulsa donde debe ir. Las flechas la mueven, con Mayús más lejos; Supr la elimina.',
  },
  undo: 'Deshacer',
  undone: 'Deshecho.',
  maskDeleted: 'Máscara eliminada.',
  detection: {
    title: 'Detección',
    enabled: 'Buscar movimiento',
    enabledHelp: 'Si está apagado, nada de esta cámara llega a la revisión, y se graba todo.',
    sensitivity: 'Sensibilidad',
    levels: { low: 'Baja', medium: 'Media', high: 'Alta' },
    help: {
      low: 'Lo que está cerca o es grande, como una persona de un tercio de la altura de la imagen.',
      medium: 'Una persona de una décima parte de la altura de la imagen.',
      high: 'Lo que es aún más pequeño o apenas destaca. Más falsas alarmas.',
    },
    now: 'Ahora',
    still: 'Nada se mueve',
    little: (percent) => `Cambia un ${percent}, demasiado poco para contar`,
    moving: (percent) => `Se mueve un ${percent} de lo que se observa`,
    off: 'No se busca movimiento',
    waiting: 'Esperando imágenes',
    nowHelp: 'Con lo que está guardado. El marco claro en la imagen muestra dónde.',
    elsewhere: 'Una segunda transmisión para el movimiento se indica en config.yml.',
  },
  save: 'Guardar',
  saved: (camera) => `El movimiento en ${camera} está guardado.`,
  discard: 'Descartar los cambios',
  others: 'En otra parte de config.yml:',
  conflict: {
    title: 'Otra persona lo ha cambiado entretanto',
    soon: 'Otra persona lo ha cambiado hace un momento, así que no se ha guardado nada. Lo que ha cambiado se verá aquí en unos segundos.',
    body: (sensitivity, masks) =>
      `Su versión: sensibilidad ${sensitivity}, ${masksOf(masks)}, con trazos en la imagen. No se sobrescribe nada hasta que decidas.`,
    bodyOff: (masks) =>
      `Su versión: no se busca movimiento, ${masksOf(masks)}, con trazos en la imagen. No se sobrescribe nada hasta que decidas.`,
    theirs: 'Usar la suya',
    mine: 'Seguir con la mía',
  },
}
