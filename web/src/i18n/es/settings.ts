import type { Texts } from '../texts.ts'

export const settings: Texts['settings'] = {
  page: 'Ajustes',
  title: 'Ajustes',
  menu: 'Ajustes',
  sections: {
    users: 'Usuarios',
    roles: 'Roles',
    cameras: 'Cámaras',
    storage: 'Almacenamiento',
    access: 'Acceso',
    config: 'Configuración',
    audit: 'Auditoría',
    log: 'Registro',
    system: 'Sistema',
  },
  about: {
    users: 'Quién puede iniciar sesión',
    roles: 'Quién ve qué cámaras',
    cameras: 'Añadirlas, probarlas y cambiarlas',
    storage: 'Cuánto ocupan las grabaciones y cuánto duran',
    access: 'Mirar lo que vería otra persona',
    config: 'Todo en un solo archivo',
    audit: 'Quién hizo qué, y cuándo',
    log: 'Lo que dice el servicio',
    system: 'Versión y carga',
  },
  leave: {
    title: '¿Salir sin guardar?',
    body: (what) => `Tus cambios en ${what} no están guardados y se perderán.`,
    confirm: 'Salir y perder los cambios',
  },
}
