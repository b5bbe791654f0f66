-- Opens a document, misspells a key, and applies the quick fix. Then saves another document, in which a parameter has
-- another name than in the code, and waits for the errors of the compiler. Prints how long both take. Runs on neovim 0.7
-- and later.
--
-- With ACCORD_RENAME, the script itself renames the parameter and writes the file, as `cargo xtask bench lsp` does.
-- Otherwise it only tells the server that the file is saved.

local PATIENCE = 60000

local function fail(message)
  io.stderr:write(message .. '\n')
  vim.cmd('cquit 1')
end

local function wait(what, is_right)
  if not vim.wait(PATIENCE, is_right, 10) then
    fail(what .. ' does not come')
  end
end

vim.cmd('edit openapi/accounts.yaml')
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({
  name = 'accord',
  cmd = { vim.env.ACCORD_XTASK, 'lsp' },
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(buffer, client)
wait('the server', function()
  local attached = vim.lsp.get_client_by_id(client)
  return attached ~= nil and attached.initialized
end)

local function find(word)
  for number, text in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = text:find(word, 1, true)
    if column then
      return number - 1, column - 1, text
    end
  end
  fail('no ' .. word)
end

local line, column, text = find('operationId: createUser')
local wrong = text:gsub('operationId', 'operatonId')
local began = vim.loop.hrtime()
vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { wrong })

local found
wait('the finding', function()
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    if one.lnum == line and one.code == 'unknown-key' then
      found = one
    end
  end
  return found ~= nil
end)
local milliseconds = (vim.loop.hrtime() - began) / 1e6

-- What the editor draws is an underline from the first to the last letter of the key.
local drawn = {}
wait('the underline', function()
  local space = vim.diagnostic.get_namespace(found.namespace).user_data.underline_ns
  local marks = space and vim.api.nvim_buf_get_extmarks(buffer, space, 0, -1, { details = true }) or {}
  for _, mark in ipairs(marks) do
    local group = mark[4].hl_group
    if group and group:find('DiagnosticUnderline') and mark[2] == line then
      drawn = { mark[3], mark[4].end_col }
    end
  end
  return #drawn == 2
end)
print('underlined: ' .. wrong:sub(drawn[1] + 1, drawn[2]))
print(string.format('underlined after %.0f ms', milliseconds))

vim.api.nvim_win_set_cursor(0, { line + 1, column })
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local responses = vim.lsp.buf_request_sync(buffer, 'textDocument/codeAction', params, PATIENCE)
local action = responses and responses[client] and responses[client].result[1]
if not action then
  fail('no quick fix: ' .. vim.inspect(responses))
end
vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
local mended = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
if mended ~= text then
  fail('not mended: ' .. mended)
end
print('mended: ' .. mended:match('(%w+): createUser'))
wait('the end of the finding', function()
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    if one.code == 'unknown-key' then
      return false
    end
  end
  return true
end)

vim.cmd('edit! openapi/patterns.yaml')
buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, client)
line, column, text = find('name: integrationInstance')
if vim.env.ACCORD_RENAME then
  vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { (text:gsub('integrationInstance', 'serviceInstance')) })
  began = vim.loop.hrtime()
  vim.cmd('silent write')
else
  began = vim.loop.hrtime()
  vim.cmd('doautocmd BufWritePost')
end

-- Whether a finding of the compiler leads to a source file below a folder.
local function leads(finding, folder)
  local lsp = finding.user_data and finding.user_data.lsp or {}
  for _, related in ipairs(lsp.relatedInformation or {}) do
    if related.location.uri:find(folder, 1, true) then
      return true
    end
  end
  return false
end

local handler, caller
wait('the errors of the compiler', function()
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    if one.source == 'rustc' then
      local milliseconds = (vim.loop.hrtime() - began) / 1e6
      handler = handler or leads(one, '/server/src/') and milliseconds
      caller = caller or leads(one, '/client/src/') and milliseconds
    end
  end
  return handler and caller
end)
print(string.format('handler after %.0f ms', handler))
print(string.format('caller after %.0f ms', caller))
vim.cmd('quitall!')
