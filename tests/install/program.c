#include <stdio.h>
#include <string.h>
#include <vksolve/vksolve.h>

int main(void)
{
    puts(vks_status_name(VKS_OK));
    return strcmp(vks_status_name(VKS_OK), "OK");
}
