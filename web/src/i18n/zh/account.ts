import type { Texts } from '../texts.ts'
import { countingIn } from '../plural.ts'

const { plural } = countingIn('zh-Hans')

export const password: Texts['password'] = {
  title: '密码',
  lead: '更改密码后，其他所有地方都会退出登录。',
  current: '当前密码',
  next: '新密码',
  submit: '更改密码',
  changed: '密码已更改，其他会话均已结束。',
  wrong: '当前密码不正确。',
  missing: '请输入当前密码。',
  byProxy: '登录由代理完成，密码也保存在代理那里。',
  inside: '此端口无需登录，因此没有密码可更改。',
  advice: {
    empty: '至少 12 个字符。三四个互不相关的词组合起来，既安全又好记。',
    short: (missing) => plural(missing, { other: '还差 # 个字符。' }),
    long: '太长：最多 1,024 字节。',
    userName: '不能与用户名相同。',
    containsName: '包含用户名会更容易被猜到。',
    repeated: '内容重复：光靠长度并不会更安全。',
    sequence: '连续的按键或字母最先被人尝试。',
    fine: '长度足够。只要熟人也猜不到，就是好密码。',
    good: '很好：够长，也很难猜到。',
    control: '含有无法键入的字符，例如制表符或换行符。',
  },
}

export const account: Texts['account'] = {
  page: '账户',
  menu: (name, role) => `账户：${name} ${role}`,
  role: '角色',
  open: '账户',
  appearance: '外观',
  appearanceLead: '保存在此浏览器中。',
  theme: '主题',
  light: '浅色',
  dark: '深色',
  auto: '跟随系统',
  signOut: '退出登录',
  signOutFailed: '未能退出登录。',
  cameras: (count) => plural(count, { other: '# 个摄像头' }),
  byProxy: '已由代理登录',
  byNobody: '此端口无需登录，所有人都是管理员',
}

export const sessions: Texts['sessions'] = {
  title: '已登录的设备',
  lead: '使用过该密码的每个浏览器或程序。如有不认识的，请结束其会话，然后更改密码。',
  current: '当前会话',
  seen: (when) => `${when}活跃`,
  since: (when) => `登录于 ${when}`,
  end: '结束',
  endOf: (device, when) => `结束 ${device} 的会话（${when}活跃）`,
  endOthers: '结束其他所有会话',
  ended: '会话已结束。',
  othersEnded: '其他会话均已结束。',
  endOthersTitle: '结束其他所有会话？',
  endOthersBody: '其他浏览器和程序会立即退出登录，正在显示的画面也会停止。此处保持登录。',
  unknownDevice: '未知设备',
  device: (browser, system) => `${system} 上的 ${browser}`,
  program: (name) => `程序：${name}`,
}
