/** The path of a cookie that belongs to the whole service. @param basePath `/` or `/…/` */
export const cookiePath = (basePath: string): string => (basePath === '/' ? '/' : basePath.slice(0, -1))
