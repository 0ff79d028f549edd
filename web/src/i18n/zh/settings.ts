import type { Texts } from '../texts.ts'

export const settings: Texts['settings'] = {
  page: '设置',
  title: '设置',
  menu: '设置',
  sections: {
    users: '用户',
    roles: '角色',
    cameras: '摄像头',
    storage: '存储',
    access: '访问权限',
    config: '配置',
    audit: '审计',
    log: '日志',
    system: '系统',
  },
  about: {
    users: '谁可以登录',
    roles: '谁能看到哪些摄像头',
    cameras: '添加、测试和更改',
    storage: '录像占用的空间和可保留的时间',
    access: '看看某人能看到什么',
    config: '所有设置，一个文件',
    audit: '谁在何时做了什么',
    log: '服务的运行日志',
    system: '版本和负载',
  },
  leave: {
    title: '不保存就离开？',
    body: (what) => `对 ${what} 的更改尚未保存，离开后将会丢失。`,
    confirm: '离开并放弃更改',
  },
}
