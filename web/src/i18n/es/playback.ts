import type { Texts } from '../texts.ts'

export const playback: Texts['playback'] = {
  waiting: 'Cargando…',
  nothing: 'Aquí no se grabó nada.',
  gone: 'Esta grabación ya no está.',
  goneBody: 'Se borró para dejar sitio a otras más recientes.',
  lost: 'Se perdió la conexión. Reintentando…',
  unsupported: 'Este navegador no puede reproducir el vídeo de esta cámara.',
  unsupportedBody:
    'Se graba tal como lo envía la cámara, por ejemplo en H.265. Descárgalo y reprodúcelo con otro programa, o configura la cámara en H.264.',
  broken: 'Esta grabación no se puede reproducir.',
  ended: 'Ya no puedes ver esta cámara.',
  endedBody: 'Tu acceso a ella ha terminado. Si es un error, pregunta a tu administrador.',
  missing: 'Esta cámara ya no existe.',
}
