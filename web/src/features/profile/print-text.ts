/** Prints a few lines on a page of their own. The text never leaves this device. */
export function printText(title: string, text: string) {
  const frame = document.createElement('iframe')
  // Not `display: none`, which some browsers print as an empty page.
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden'
  frame.title = title
  document.body.append(frame)
  const page = frame.contentDocument
  if (!page || !frame.contentWindow) return frame.remove()
  page.title = title
  const lines = page.createElement('pre')
  lines.textContent = text
  lines.style.cssText = 'font:16px/1.6 monospace;white-space:pre-wrap'
  page.body.append(lines)
  frame.contentWindow.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow.print()
}
