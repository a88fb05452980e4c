Libraries in the directory lib, each an unchanged jar of its project, with its notices in META-INF where it has any. Licences that a
jar does not contain itself: the file LICENSE (Apache License 2.0), and those in the directory licenses.

<#function licenses of>
  <#assign text = ""/>
  <#list of as license>
    <#if text != ""><#assign text = text + " or "/></#if>
    <#assign text = text + license/>
  </#list>
  <#return text>
</#function>
<#list dependencyMap as entry>
<#assign project = entry.getKey()/>
${project.groupId}:${project.artifactId}:${project.version}
    ${licenses(entry.getValue())}<#if project.url??>
    ${project.url}</#if>
</#list>
