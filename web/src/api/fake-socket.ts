/** A fake socket that the test controls. */
export class FakeSocket extends EventTarget {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  readyState = 0
  closed = false
  constructor() {
    super()
    FakeSocket.all.push(this)
  }
  opens() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  says(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  ends(code: number) {
    this.readyState = 3
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
  close() {
    this.closed = true
    this.ends(1000)
  }
}
