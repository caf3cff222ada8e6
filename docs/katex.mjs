// Formulas in, HTML with MathML out: one JSON object a line, {"tex", "display"} to {"html"} or {"error"}.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const katex = createRequire(process.argv[2] + "/")("katex");
for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    const options = { displayMode: display, throwOnError: true, strict: "error", trust: false };
    answer = { html: katex.renderToString(tex, options) };
  } catch (error) {
    answer = { error: String(error.message) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
